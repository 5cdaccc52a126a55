/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.manager.command.pages;

import io.kubeloop.apiserver.http.wire.HttpListener;
import io.kubeloop.apiserver.http.wire.HttpServerExchange;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.text.ParseException;
import java.util.concurrent.TimeUnit;
import jdk.jfr.Configuration;
import jdk.jfr.Recording;

/**
 * Records a profile of this JVM by Java Flight Recorder and sends it: {@code /debug/pprof/profile?seconds=30}. Upstream
 * sends one of Go's. A request blocks its thread while the recording runs, at most {@value #MOST_SECONDS} seconds, and
 * not after its client has left. Holds no state.
 */
final class FlightRecording implements HttpListener.Handler {

    private static final int DEFAULT_SECONDS = 30;
    private static final int MOST_SECONDS = 600;
    private static final String PARAMETER = "seconds=";

    @Override
    public void handle(HttpServerExchange exchange) throws IOException {
        int seconds = seconds(exchange.target().rawQuery());
        Path file = Files.createTempFile("kubeloop-profile", ".jfr");
        try {
            record(seconds, file, exchange);
            exchange.setHeader("Content-Type", "application/octet-stream");
            exchange.setHeader("Content-Disposition", "attachment; filename=\"profile.jfr\"");
            try (OutputStream out = exchange.replyWithLength(200, Files.size(file))) {
                Files.copy(file, out);
            }
        } catch (ParseException e) {
            exchange.reply(
                    500,
                    ("this JVM has no configuration of profiles: " + e.getMessage() + "\n")
                            .getBytes(StandardCharsets.UTF_8));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // the server closes
        } finally {
            Files.deleteIfExists(file);
        }
    }

    private static void record(int seconds, Path file, HttpServerExchange exchange)
            throws IOException, ParseException, InterruptedException {
        try (Recording recording = new Recording(Configuration.getConfiguration("profile"))) {
            recording.start();
            for (int i = 0; i < seconds && !exchange.clientHasLeft(); i++) {
                TimeUnit.SECONDS.sleep(1);
            }
            recording.stop();
            recording.dump(file);
        }
    }

    private static int seconds(String query) {
        if (!query.startsWith(PARAMETER)) {
            return DEFAULT_SECONDS;
        }
        String text = query.substring(PARAMETER.length());
        boolean isNumber = !text.isEmpty() && text.length() < 5 && text.chars().allMatch(c -> c >= '0' && c <= '9');
        return isNumber ? Math.min(Integer.parseInt(text), MOST_SECONDS) : DEFAULT_SECONDS;
    }
}
