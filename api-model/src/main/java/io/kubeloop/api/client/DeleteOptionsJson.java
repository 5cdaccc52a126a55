/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.client;

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
            preconditions.add("\"uid\":" + quote(options.preconditionUid()));
        }
        if (options.preconditionResourceVersion() != null) {
            preconditions.add("\"resourceVersion\":" + quote(options.preconditionResourceVersion()));
        }
        if (!preconditions.isEmpty()) {
            members.add("\"preconditions\":{" + String.join(",", preconditions) + "}");
        }
        if (options.propagationPolicy() != null) {
            members.add(
                    "\"propagationPolicy\":" + quote(options.propagationPolicy().wire()));
        }
        return ("{" + String.join(",", members) + "}").getBytes(StandardCharsets.UTF_8);
    }

    private static String quote(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                quoted.append('\\').append(c);
            } else if (c < 0x20) {
                quoted.append(String.format("\\u%04x", (int) c));
            } else {
                quoted.append(c);
            }
        }
        return quoted.append('"').toString();
    }
}
