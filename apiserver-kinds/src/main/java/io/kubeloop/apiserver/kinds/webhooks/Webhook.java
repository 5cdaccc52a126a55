package io.kubeloop.apiserver.kinds.webhooks;

import io.kubeloop.api.selector.Selector;
import io.kubeloop.apiserver.machinery.LabelSelectorTrees;
import io.kubeloop.json.tree.JsonObject;
import java.time.Duration;

/**
 * One webhook of a configuration (upstream: {@code apiserver/pkg/admission/plugin/webhook/accessors.go}). Immutable.
 *
 * @param name the name in messages
 * @param spec the webhook as the configuration states it
 * @param namespaces selects the namespaces whose objects it receives
 * @param objects selects the objects that it receives, before or after the write
 * @param client sends reviews to it
 */
record Webhook(String name, JsonObject spec, Selector namespaces, Selector objects, WebhookClient client) {

    private static final long DEFAULT_SECONDS = 10;

    static Webhook of(JsonObject spec) {
        return new Webhook(
                spec.string("name"),
                spec,
                LabelSelectorTrees.read(spec.object("namespaceSelector")),
                LabelSelectorTrees.read(spec.object("objectSelector")),
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

    /** Returns whether only the version and the resource of the request count, not the equivalent ones. */
    boolean matchesExactly() {
        return spec.string("matchPolicy").equals("Exact");
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
