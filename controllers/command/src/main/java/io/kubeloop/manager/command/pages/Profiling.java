/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.manager.command.pages;

import io.kubeloop.apiserver.http.wire.HttpServerExchange;
import io.kubeloop.command.log.Logs;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;

/**
 * The pages for a look into a running process: {@code /debug/pprof/} lists the profiles, {@code /debug/pprof/profile}
 * records one by Java Flight Recorder, {@code /debug/pprof/threads} shows the stacks of all threads, and {@code PUT
 * /debug/flags/v} sets the level of the log. Holds no state.
 */
public final class Profiling {

    private static final String ROOT = "/debug/pprof/";

    private static final String INDEX = """
            profile  Java Flight Recorder, for ?seconds=30 by default
            threads  the stacks of all threads
            """;

    private Profiling() {}

    /** Adds the pages to a server that has not started. */
    public static void addTo(ManagerHttp http) {
        http.route(ROOT + "profile", new FlightRecording())
                .page(ROOT, ManagerHttp.TEXT, () -> utf8(INDEX))
                .page(ROOT + "threads", ManagerHttp.TEXT, () -> utf8(threads()))
                .route("/debug/flags/v", Profiling::setLevel);
    }

    private static String threads() {
        Map<String, StackTraceElement[]> stacks = new TreeMap<>();
        Thread.getAllStackTraces()
                .forEach((thread, stack) ->
                        stacks.put("\"" + thread.getName() + "\" #" + thread.getId() + " " + thread.getState(), stack));
        StringBuilder text = new StringBuilder();
        stacks.forEach((thread, stack) -> {
            text.append(thread).append('\n');
            for (StackTraceElement frame : stack) {
                text.append("\tat ").append(frame).append('\n');
            }
            text.append('\n');
        });
        return text.toString();
    }

    /** Answers as the original does. */
    private static void setLevel(HttpServerExchange exchange) throws IOException {
        if (!exchange.method().equals("PUT")) {
            ManagerHttp.send(exchange, 406, "text/plain", utf8("unsupported http method\n"));
            return;
        }
        // A level has a digit or two; more is not read.
        String text = new String(exchange.body().readNBytes(20), StandardCharsets.UTF_8);
        if (text.isEmpty() || text.length() > 9 || !text.chars().allMatch(c -> c >= '0' && c <= '9')) {
            byte[] problem = utf8("strconv.ParseUint: parsing \"" + text + "\": invalid syntax\n");
            ManagerHttp.send(exchange, 400, "text/plain", problem);
            return;
        }
        Logs.level(Integer.parseInt(text));
        ManagerHttp.send(
                exchange, 200, "text/plain", utf8("successfully set klog.logging.verbosity to " + text + "\n"));
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
