/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.http;

import io.kubeloop.apiserver.registry.Route;
import io.kubeloop.apiserver.registry.request.RequestInfo;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;

/**
 * Counts the requests about resources for {@code /metrics}, under the name and with the labels of kube-apiserver
 * (upstream: {@code apiserver/pkg/endpoints/metrics}). The labels come from served paths only, so clients cannot
 * add more. Thread-safe.
 */
final class RequestCounts {

    static final String PATH = "/metrics";
    static final String CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8; escaping=underscores";

    private static final String NAME = "apiserver_request_total";
    private static final String APPLY = "application/apply-patch+yaml";
    private static final Set<String> DRY_RUNS = Set.of("All");

    /** The requests by their labels. */
    private final Map<String, LongAdder> counts = new ConcurrentHashMap<>();

    /** Counts a request that a route has served; a watch counts when it has ended. */
    void count(HttpApiExchange exchange, Route route) {
        RequestInfo info = route.info();
        String scope = !info.name().isEmpty() || exchange.method().equals("POST")
                ? "resource"
                : info.namespace().isEmpty() ? "cluster" : "namespace";
        String labels = "code=\"" + exchange.status() + "\",component=\"apiserver\",dry_run=\""
                + dryRun(exchange.queryValues("dryRun")) + "\",group=\"" + info.group() + "\",resource=\""
                + info.plural()
                + "\",scope=\"" + scope + "\",subresource=\"" + info.subresource() + "\",verb=\""
                + verb(exchange, route, scope) + "\",version=\"" + info.version() + "\"";
        counts.computeIfAbsent(labels, key -> new LongAdder()).increment();
    }

    private static String verb(HttpApiExchange exchange, Route route, String scope) {
        String method = exchange.method();
        if (method.equals("GET") || method.equals("HEAD")) {
            return route.isWatch(exchange.query()) ? "WATCH" : scope.equals("resource") ? "GET" : "LIST";
        }
        return method.equals("PATCH") && exchange.header("Content-Type").equals(APPLY) ? "APPLY" : method;
    }

    private static String dryRun(List<String> values) {
        return values.isEmpty() ? "" : DRY_RUNS.containsAll(values) ? "All" : "invalid";
    }

    /** Returns the counts in the text format of Prometheus. */
    String text() {
        return "# HELP " + NAME + " Served requests about resources, by verb, resource and status code.\n# TYPE " + NAME
                + " counter\n"
                + counts.entrySet().stream()
                        .map(entry -> NAME + "{" + entry.getKey() + "} "
                                + entry.getValue().sum() + "\n")
                        .sorted()
                        .collect(Collectors.joining());
    }
}
