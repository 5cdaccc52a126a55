/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.job;

import io.kubeloop.json.tree.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Objects;

/** What Kubernetes' own functions made of schedules, delays and indexes, recorded by {@code e2e/record-jobs.sh}. */
public final class JobVectors {

    private JobVectors() {}

    /** Returns the vectors of a kind. */
    public static List<JsonObject> of(String kind) throws IOException {
        try (InputStream in = JobVectors.class.getResourceAsStream("/vectors/jobs.json")) {
            return JsonObject.parse(Objects.requireNonNull(in).readAllBytes())
                    .array(kind)
                    .objects()
                    .toList();
        }
    }

    /** Returns a number of a vector. */
    public static long number(JsonObject vector, String field) {
        return Objects.requireNonNull(vector.number(field)).longValue();
    }
}
