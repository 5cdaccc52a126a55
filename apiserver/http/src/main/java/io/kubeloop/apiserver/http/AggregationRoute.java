/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.http;

import io.kubeloop.apiserver.http.aggregation.Aggregator;
import io.kubeloop.apiserver.http.aggregation.RemoteApi;
import io.kubeloop.apiserver.http.proxy.BackendProxy;
import io.kubeloop.apiserver.http.wire.BackendConnection.Server;
import io.kubeloop.apiserver.http.wire.BackendException;
import io.kubeloop.apiserver.http.wire.RequestTarget;
import io.kubeloop.apiserver.registry.AggregatedApis;
import io.kubeloop.apiserver.rest.UserInfo;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Relays requests to the servers of aggregated APIs (upstream: {@code kube-aggregator}). Thread-safe. */
final class AggregationRoute {

    private static final String OPEN_API = "/openapi/v3/";

    private final @Nullable Aggregator apis;
    private final BackendProxy proxy;

    /**
     * Creates a route.
     *
     * @param apis the forwarding of the server; {@link AggregatedApis#NONE} for a server without
     */
    AggregationRoute(AggregatedApis apis, BackendProxy proxy) {
        this.apis = apis instanceof Aggregator aggregator ? aggregator : null;
        this.proxy = proxy;
    }

    /** Returns what other servers must know in order to accept the requests that this server forwards. */
    Map<String, String> published() {
        return apis == null ? Map.of() : apis.published();
    }

    /** Serves a path of another server, and returns false if this server serves it. */
    boolean serve(HttpApiExchange exchange, String path, UserInfo user) throws IOException {
        RemoteApi api = apis == null
                ? null
                : path.startsWith(OPEN_API) ? apis.withDocument(path.substring(OPEN_API.length())) : apis.at(path);
        if (api == null) {
            return false;
        }
        String problem = api.server().problem();
        if (!api.isAvailable()) {
            fail(exchange, 503, "service unavailable");
        } else if (!problem.isEmpty()) {
            fail(exchange, 500, problem);
        } else {
            relay(exchange, api, user);
        }
        return true;
    }

    private void relay(HttpApiExchange exchange, RemoteApi api, UserInfo user) throws IOException {
        Server server;
        try {
            server = api.server().server();
        } catch (IOException e) {
            fail(exchange, 503, "service unavailable");
            return;
        }
        String query = exchange.wire().target().rawQuery();
        String path = RequestTarget.escaped(exchange.path());
        try {
            Map<String, List<String>> headers = RemoteApi.identity(user);
            headers.put("X-Forwarded-Host", List.of(server.authority()));
            headers.put("X-Forwarded-Proto", List.of("https"));
            headers.put("X-Forwarded-Uri", List.of(path));
            exchange.notCached();
            proxy.relay(
                    exchange.wire(),
                    new BackendProxy.Destination(
                            server, query.isEmpty() ? path : path + "?" + query, headers, Duration.ZERO, false));
        } catch (BackendException e) {
            fail(exchange, 503, "error trying to reach service: " + e.getMessage());
        }
    }

    private static void fail(HttpApiExchange exchange, int code, String text) throws IOException {
        exchange.noSniff();
        exchange.replyText(code, text + "\n");
    }
}
