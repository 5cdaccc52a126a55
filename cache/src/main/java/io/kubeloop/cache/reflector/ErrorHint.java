/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.cache.reflector;

import io.kubeloop.api.ResourceType;
import io.kubeloop.api.client.ApiException;
import io.kubeloop.cache.ReflectorState;
import org.jspecify.annotations.Nullable;

/**
 * Suggests a remedy for an error of an informer that retries do not solve.
 *
 * @param type the resource
 * @param namespace the only namespace that is listed and watched; empty for all
 */
public record ErrorHint(ResourceType<?> type, String namespace) {

    /**
     * Returns a hint; empty if none is known.
     *
     * @param during the phase of the reflector in which the error occurred
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
            return "the server has no " + type + " in version " + type.version()
                    + ": is its CustomResourceDefinition installed, and its API group enabled?";
        }
        return "";
    }

    /** A streaming list is a watch request, so it requires the verb watch. */
    private static String verb(ReflectorState during) {
        return during == ReflectorState.LISTING ? "list" : "watch";
    }
}
