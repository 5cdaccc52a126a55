/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.rest;

import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonObject;
import java.time.Duration;

/** Sends reviews to one webhook. Must be thread-safe. */
@FunctionalInterface
public interface WebhookSender {

    /**
     * Returns the version of the reviews that a webhook receives: the first accepted version that the server supports.
     */
    static String reviewVersion(JsonArray accepted) {
        return accepted.strings()
                .filter(version -> version.equals("v1") || version.equals("v1beta1"))
                .findFirst()
                .orElse("v1");
    }

    /**
     * Sends a document and returns the answer. Blocks for at most about the timeout.
     *
     * @throws WebhookException if there is no answer, or it is not a JSON object; the message is that of
     *     kube-apiserver's client
     */
    JsonObject send(JsonObject review, Duration timeout) throws WebhookException;
}
