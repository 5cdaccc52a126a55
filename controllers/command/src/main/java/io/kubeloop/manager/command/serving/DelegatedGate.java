/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.manager.command.serving;

import io.kubeloop.apiserver.http.wire.HttpServerExchange;
import io.kubeloop.apiserver.rest.UserInfo;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.manager.command.pages.PageGate;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Admits the requests of users that the API server knows and allows; others receive 401 or 403, as from the original.
 * Thread-safe.
 */
public final class DelegatedGate implements PageGate {

    private final DelegatedAuthentication authentication;
    private final DelegatedAuthorization authorization;

    /** Creates a gate. */
    public DelegatedGate(DelegatedAuthentication authentication, DelegatedAuthorization authorization) {
        this.authentication = authentication;
        this.authorization = authorization;
    }

    @Override
    public @Nullable Refusal refusal(HttpServerExchange exchange) {
        Optional<UserInfo> caller = authentication.authenticate(exchange);
        if (caller.isEmpty()) {
            return refusal(401, "Unauthorized", "Unauthorized");
        }
        String verb = exchange.method().toLowerCase(Locale.ROOT);
        String path = exchange.target().path();
        return authorization.allows(caller.get(), verb, path)
                ? null
                : refusal(
                        403,
                        "Forbidden",
                        "forbidden: User \"" + caller.get().name() + "\" cannot " + verb + " path \"" + path + "\"");
    }

    private static Refusal refusal(int code, String reason, String message) {
        JsonObject status = JsonObject.EMPTY
                .with("kind", "Status")
                .with("apiVersion", "v1")
                .with("metadata", JsonObject.EMPTY)
                .with("status", "Failure")
                .with("message", message)
                .with("reason", reason);
        JsonObject complete = code == 403 ? status.with("details", JsonObject.EMPTY) : status;
        return new Refusal(code, "application/json", complete.with("code", code).toString());
    }
}
