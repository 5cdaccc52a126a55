/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.manager.command.serving;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsExchange;
import io.kubeloop.apiserver.rest.UserInfo;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.manager.command.pages.PageGate;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import javax.net.ssl.SSLPeerUnverifiedException;
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
    public @Nullable Refusal refusal(HttpExchange exchange) {
        Optional<UserInfo> caller = authentication.authenticate(exchange.getRequestHeaders(), certificates(exchange));
        if (caller.isEmpty()) {
            return refusal(401, "Unauthorized", "Unauthorized");
        }
        String verb = exchange.getRequestMethod().toLowerCase(Locale.ROOT);
        String path = exchange.getRequestURI().getPath();
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

    private static List<X509Certificate> certificates(HttpExchange exchange) {
        List<X509Certificate> chain = new ArrayList<>();
        try {
            if (exchange instanceof HttpsExchange secure) {
                for (Certificate certificate : secure.getSSLSession().getPeerCertificates()) {
                    chain.add((X509Certificate) certificate);
                }
            }
        } catch (SSLPeerUnverifiedException e) {
            return List.of(); // a client without a certificate
        }
        return chain;
    }
}
