/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.client.request;

import io.kubeloop.api.JsonStrings;
import io.kubeloop.api.client.DeleteOptions;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes {@link DeleteOptions} as JSON. It has only four fields, so this module needs no JSON library for it.
 * Stateless.
 */
final class DeleteOptionsJson {

    private DeleteOptionsJson() {}

    static byte[] write(DeleteOptions options) {
        List<String> members = new ArrayList<>();
        members.add("\"kind\":\"DeleteOptions\",\"apiVersion\":\"v1\"");
        if (options.gracePeriodSeconds() != null) {
            members.add("\"gracePeriodSeconds\":" + options.gracePeriodSeconds());
        }
        List<String> preconditions = new ArrayList<>();
        if (options.preconditionUid() != null) {
            preconditions.add("\"uid\":" + JsonStrings.quote(options.preconditionUid()));
        }
        if (options.preconditionResourceVersion() != null) {
            preconditions.add("\"resourceVersion\":" + JsonStrings.quote(options.preconditionResourceVersion()));
        }
        if (!preconditions.isEmpty()) {
            members.add("\"preconditions\":{" + String.join(",", preconditions) + "}");
        }
        if (options.propagationPolicy() != null) {
            members.add("\"propagationPolicy\":"
                    + JsonStrings.quote(options.propagationPolicy().wire()));
        }
        return ("{" + String.join(",", members) + "}").getBytes(StandardCharsets.UTF_8);
    }
}
