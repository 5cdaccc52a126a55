package io.kubeloop.apiserver.machinery;

import io.kubeloop.json.tree.JsonObject;
import java.time.Duration;

/** Sends reviews to one webhook. Must be thread-safe. */
@FunctionalInterface
public interface WebhookSender {

    /**
     * Sends a document and returns the answer. Blocks for at most about the timeout.
     *
     * @throws WebhookException if there is no answer, or it is not a JSON object; the message is that of kube-apiserver's client
     */
    JsonObject send(JsonObject review, Duration timeout) throws WebhookException;
}
