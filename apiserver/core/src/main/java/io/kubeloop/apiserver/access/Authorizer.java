/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.access;

import io.kubeloop.apiserver.rest.StatusException;
import io.kubeloop.apiserver.rest.UserInfo;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonObject;
import java.util.List;

/**
 * Decides about requests (upstream: {@code apiserver/pkg/authorization/authorizer}). Must be thread-safe and must not
 * block.
 */
public interface Authorizer {

    /** Allows everything. */
    Authorizer ALLOW_ALL = new Authorizer() {

        @Override
        public Decision decide(UserInfo user, AccessRequest request) {
            return new Decision(true, "");
        }

        @Override
        public List<JsonObject> rules(UserInfo user, String namespace) {
            JsonArray anything = JsonArray.ofStrings(List.of("*"));
            return List.of(
                    JsonObject.of("verbs", anything).with("apiGroups", anything).with("resources", anything),
                    JsonObject.of("verbs", anything).with("nonResourceURLs", anything));
        }
    };

    /**
     * The answer to a request.
     *
     * @param allowed whether the user may do it
     * @param reason why; empty if there is nothing to say
     */
    record Decision(boolean allowed, String reason) {}

    /** Returns whether a user may send a request. */
    Decision decide(UserInfo user, AccessRequest request);

    /**
     * Returns if a user may send a request.
     *
     * @throws StatusException 403 if the user may not
     */
    default void require(UserInfo user, AccessRequest request) {
        Decision decision = decide(user, request);
        if (!decision.allowed()) {
            String why = request.denial(user.name());
            throw StatusException.accessDenied(
                    request.target().group(),
                    request.target().resource(),
                    request.target().name(),
                    decision.reason().isEmpty() ? why : why + ": " + decision.reason());
        }
    }

    /** Returns the rules that apply to a user in a namespace, in the form of a role. */
    List<JsonObject> rules(UserInfo user, String namespace);
}
