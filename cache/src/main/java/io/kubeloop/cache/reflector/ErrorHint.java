package io.kubeloop.cache.reflector;

import io.kubeloop.api.ResourceType;
import io.kubeloop.api.client.ApiException;
import io.kubeloop.cache.ReflectorState;
import org.jspecify.annotations.Nullable;

/**
 * Says what people have to do about an informer's error, where trying again will not help.
 *
 * @param type the resource
 * @param namespace the only one that is listed and watched; empty for all
 */
public record ErrorHint(ResourceType<?> type, String namespace) {

    /**
     * Returns what has to be done; empty if there is no saying.
     *
     * @param during what the reflector was doing when the error came
     */
    public String of(@Nullable Throwable error, ReflectorState during) {
        if (!(error instanceof ApiException answer)) {
            return "";
        }
        if (answer.isForbidden()) {
            return "the user may not " + verb(during) + " " + type + ": it needs a role with the rule apiGroups: [\""
                    + type.group() + "\"], resources: [\"" + type.plural() + "\"], verbs: [\"list\", \"watch\"]"
                    + (namespace.isEmpty() ? "" : " in namespace " + namespace);
        }
        if (answer.isNotFound()) {
            return "the server does not know " + type + " in version " + type.version()
                    + ": is its CustomResourceDefinition there, its API group enabled?";
        }
        return "";
    }

    /** To the server a streaming list is a watch. */
    private static String verb(ReflectorState during) {
        return during == ReflectorState.LISTING ? "list" : "watch";
    }
}
