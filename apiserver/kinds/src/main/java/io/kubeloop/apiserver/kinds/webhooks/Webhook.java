/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.webhooks;

import io.kubeloop.apiserver.kinds.requests.MatchConditions;
import io.kubeloop.apiserver.kinds.requests.MatchedRequests;
import io.kubeloop.json.tree.JsonObject;
import java.time.Duration;

/**
 * One webhook of a configuration (upstream: {@code apiserver/pkg/admission/plugin/webhook/accessors.go}). Immutable.
 *
 * @param name the name in messages
 * @param spec the webhook as the configuration states it
 * @param match the requests that it receives
 * @param conditions the further conditions of requests that it receives
 * @param client sends reviews to it
 */
record Webhook(String name, JsonObject spec, MatchedRequests match, MatchConditions conditions, WebhookClient client) {

    private static final long DEFAULT_SECONDS = 10;

    static Webhook of(JsonObject spec, MatchConditions conditions) {
        return new Webhook(
                spec.string("name"),
                spec,
                MatchedRequests.ofWebhook(spec),
                conditions,
                WebhookClient.of(spec.object("clientConfig")));
    }

    /** Returns whether a write succeeds if the webhook cannot be called. */
    boolean ignoresFailures() {
        return spec.string("failurePolicy").equals("Ignore");
    }

    /** Returns whether the webhook is called again when the object changes after its call. */
    boolean isReinvoked() {
        return spec.string("reinvocationPolicy").equals("IfNeeded");
    }

    /** Returns whether a dry run may call the webhook. */
    boolean supportsDryRun() {
        return spec.string("sideEffects").startsWith("None");
    }

    Duration timeout() {
        Long seconds = spec.number("timeoutSeconds");
        return Duration.ofSeconds(seconds == null ? DEFAULT_SECONDS : seconds);
    }
}
