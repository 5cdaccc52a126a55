/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.core;

import io.kubeloop.api.JsonMember;
import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.Values;
import io.kubeloop.api.WithMethods;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The desired number and form of pods (upstream: {@code core/v1.ReplicationControllerSpec}).
 *
 * @param replicas the number of pods; null means 1
 * @param minReadySeconds the time for which a pod must be ready before it counts as available, in seconds
 * @param selector the labels of the pods that count; empty means the template's labels
 * @param template the form of new pods
 * @param unknownFields all other fields
 */
@WithMethods
public record ReplicationControllerSpec(
        @Nullable Integer replicas,
        @JsonMember(omitZero = true) int minReadySeconds,
        Map<String, String> selector,
        @Nullable PodTemplateSpec template,
        UnknownFields unknownFields)
        implements ReplicationControllerSpecBuilder.With {

    /** Every field absent. */
    public static final ReplicationControllerSpec EMPTY =
            ReplicationControllerSpecBuilder.builder().build();

    /** Copies the collections; null means the zero value. */
    public ReplicationControllerSpec {
        selector = Values.orEmpty(selector);
        unknownFields = Values.orNone(unknownFields);
    }
}
