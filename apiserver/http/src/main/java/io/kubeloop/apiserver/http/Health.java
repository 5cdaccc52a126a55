/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.http;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

/**
 * The health checks at {@code /healthz}, {@code /livez} and {@code /readyz} (upstream: {@code
 * apiserver/pkg/server/healthz}). The server is ready until it starts to close. Thread-safe.
 */
final class Health {

    private static final String SHUTDOWN = "shutdown";

    private static final Map<String, List<String>> CHECKS =
            Map.of("/healthz", List.of("ping"), "/livez", List.of("ping"), "/readyz", List.of("ping", SHUTDOWN));

    private final BooleanSupplier isClosing;

    Health(BooleanSupplier isClosing) {
        this.isClosing = isClosing;
    }

    /** Returns whether a path is that of all checks or starts like that of a single check. */
    static boolean isHealth(String path) {
        return CHECKS.containsKey(path) || CHECKS.containsKey(root(path));
    }

    /** Returns the paths of all checks. */
    static List<String> paths() {
        List<String> paths = new ArrayList<>();
        CHECKS.forEach((root, checks) -> {
            paths.add(root);
            checks.forEach(check -> paths.add(root + "/" + check));
        });
        return paths;
    }

    private static String root(String path) {
        return path.substring(0, Math.max(0, path.indexOf('/', 1)));
    }

    void serve(HttpApiExchange exchange, String path) throws IOException {
        exchange.noSniff();
        List<String> all = CHECKS.get(path);
        if (all != null) {
            serveAll(exchange, path.substring(1), all);
            return;
        }
        String root = root(path);
        String check = path.substring(root.length() + 1);
        if (!CHECKS.getOrDefault(root, List.of()).contains(check)) {
            exchange.replyNoPage();
        } else if (passes(check)) {
            exchange.replyText(200, "ok");
        } else {
            exchange.replyText(500, "internal server error: process is shutting down\n");
        }
    }

    private void serveAll(HttpApiExchange exchange, String name, List<String> checks) throws IOException {
        TreeSet<String> excluded = new TreeSet<>();
        exchange.queryValues("exclude").forEach(value -> excluded.addAll(Arrays.asList(value.split(",", -1))));
        StringBuilder report = new StringBuilder();
        boolean healthy = true;
        for (String check : checks) {
            if (excluded.remove(check)) {
                report.append("[+]").append(check).append(" excluded: ok\n");
            } else if (passes(check)) {
                report.append("[+]").append(check).append(" ok\n");
            } else {
                healthy = false;
                report.append("[-]").append(check).append(" failed: reason withheld\n");
            }
        }
        if (!excluded.isEmpty()) {
            report.append("warn: some health checks cannot be excluded: no matches for ")
                    .append(excluded.stream().map(each -> "\"" + each + "\"").collect(Collectors.joining(",")))
                    .append('\n');
        }
        if (!healthy) {
            exchange.replyText(500, report + name + " check failed\n");
        } else if (exchange.query().containsKey("verbose")) {
            exchange.replyText(200, report + name + " check passed\n");
        } else {
            exchange.replyText(200, "ok");
        }
    }

    private boolean passes(String check) {
        return !check.equals(SHUTDOWN) || !isClosing.getAsBoolean();
    }
}
