/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.fake;

import io.kubeloop.testing.Json;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A request that a {@link FakeTransport} has received (upstream: {@code testing.Action}).
 *
 * @param verb {@code get}, {@code list}, {@code create}, {@code update}, {@code patch} or {@code delete}
 * @param resource the plural, such as {@code pods}
 * @param subresource such as {@code status}; empty for the object itself
 * @param namespace empty for cluster-scoped resources and all namespaces
 * @param name empty for collections and creations
 * @param contentType of the body; empty if there is none
 * @param body the body's text; empty if there is none
 * @param failed whether it was answered with an error
 */
public record Action(
        String verb,
        String resource,
        String subresource,
        String namespace,
        String name,
        String contentType,
        String body,
        boolean failed) {

    /** Returns whether the action changes something. */
    public boolean isWrite() {
        return !verb.equals("get") && !verb.equals("list");
    }

    /** Returns the body, parsed. */
    @SuppressWarnings("unchecked")
    public Map<String, @Nullable Object> object() {
        return (Map<String, @Nullable Object>) Objects.requireNonNull(Json.parse(body));
    }
}
