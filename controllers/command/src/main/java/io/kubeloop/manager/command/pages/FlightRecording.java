/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.manager.command.pages;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.text.ParseException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import jdk.jfr.Configuration;
import jdk.jfr.Recording;
import org.jspecify.annotations.Nullable;

/**
 * Records a profile of this JVM by Java Flight Recorder and sends it: {@code /debug/pprof/profile?seconds=30}. Upstream
 * sends one of Go's. A request blocks its thread while the recording runs, at most {@value #MOST_SECONDS} seconds.
 * Holds no state.
 */
final class FlightRecording implements HttpHandler {

    private static final int DEFAULT_SECONDS = 30;
    private static final int MOST_SECONDS = 600;
    private static final String PARAMETER = "seconds=";

    @Override
    public void handle(HttpExchange exchange) throws IOException {
        int seconds = seconds(exchange.getRequestURI().getQuery());
        Path file = Files.createTempFile("kubeloop-profile", ".jfr");
        try {
            record(seconds, file);
            exchange.getResponseHeaders().set("Content-Type", "application/octet-stream");
            exchange.getResponseHeaders().set("Content-Disposition", "attachment; filename=\"profile.jfr\"");
            exchange.sendResponseHeaders(200, Files.size(file));
            try (OutputStream out = exchange.getResponseBody()) {
                Files.copy(file, out);
            }
        } catch (ParseException e) {
            byte[] text = ("this JVM has no configuration of profiles: " + e.getMessage() + "\n")
                    .getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(500, text.length);
            exchange.getResponseBody().write(text);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // the server closes
        } finally {
            Files.deleteIfExists(file);
        }
    }

    private static void record(int seconds, Path file) throws IOException, ParseException, InterruptedException {
        try (Recording recording = new Recording(Configuration.getConfiguration("profile"))) {
            recording.start();
            // Never opened: an interrupt by the server that closes ends the wait.
            boolean unused = new CountDownLatch(1).await(seconds, TimeUnit.SECONDS);
            recording.stop();
            recording.dump(file);
        }
    }

    private static int seconds(@Nullable String query) {
        if (query == null || !query.startsWith(PARAMETER)) {
            return DEFAULT_SECONDS;
        }
        String text = query.substring(PARAMETER.length());
        boolean isNumber = !text.isEmpty() && text.length() < 5 && text.chars().allMatch(c -> c >= '0' && c <= '9');
        return isNumber ? Math.min(Integer.parseInt(text), MOST_SECONDS) : DEFAULT_SECONDS;
    }
}
