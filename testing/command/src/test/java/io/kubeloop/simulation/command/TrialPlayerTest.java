/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.simulation.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.command.ShutdownSignal;
import io.kubeloop.simulation.Finding;
import io.kubeloop.simulation.Moment;
import io.kubeloop.simulation.Perturbation;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class TrialPlayerTest {

    private static final Instant START = Instant.parse("2026-01-05T08:00:00Z");

    private static final Finding FINDING = new Finding(
            "crash-after: create pods default/web",
            Perturbation.CRASH,
            "killed after `create pods default/web`",
            List.of("a pod is missing"),
            List.of("one step"),
            List.of(
                    new Moment(START, 0, Moment.Kind.STARTED, "", "", "", 0),
                    new Moment(START, 0, Moment.Kind.SAW, "MODIFIED", "sites.example.com", "default/web", 0),
                    new Moment(START, 0, Moment.Kind.WROTE, "create", "pods", "default/web", 0),
                    new Moment(START, 0, Moment.Kind.ENDED, "", "", "", 0)));

    @Test
    void page_showsTheMomentsInTheirOrder() throws Exception {
        ShutdownSignal signal = ShutdownSignal.inert();
        try (TrialPlayer player = TrialPlayer.start(FINDING, 0)) {
            Thread playing = new Thread(() -> {
                try {
                    player.play(signal);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
            playing.start();
            String key = Objects.requireNonNull(player.page().getFragment());
            List<String> passages = passages(player.page().resolve("live/stream?" + key), 3);
            assertThat(passages.get(0)).contains("\"stage\":\"reflector\"", "\"kind\":\"updated\"", "instance 0");
            assertThat(passages.get(1)).contains("\"stage\":\"writes\"", "\"kind\":\"create\"", "default/web");
            assertThat(passages.get(2)).contains("\"stage\":\"server\"", "\"kind\":\"no-answer\"");
            signal.ask();
            playing.join();
        }
    }

    /** Reads the stream until it has brought so many passages. */
    private static List<String> passages(URI stream, int count) throws IOException {
        HttpURLConnection connection = (HttpURLConnection) stream.toURL().openConnection();
        assertThat(connection.getResponseCode()).isEqualTo(200);
        List<String> passages = new ArrayList<>();
        try (BufferedReader reader =
                new BufferedReader(new InputStreamReader(connection.getInputStream(), StandardCharsets.UTF_8))) {
            while (passages.size() < count) {
                String line = Objects.requireNonNull(reader.readLine(), "the stream ended");
                for (int at = line.indexOf("{\"n\":"); at >= 0; at = line.indexOf("{\"n\":", at + 1)) {
                    passages.add(line.substring(at, line.indexOf('}', at)));
                }
            }
        }
        return passages;
    }
}
