/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.app.manager;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.manager.ControllerTable;
import io.kubeloop.workqueue.QueueGauges;
import io.kubeloop.workqueue.QueueMetrics;
import java.net.HttpURLConnection;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class ManagerStatusTest {

    private static final QueueGauges EMPTY = new QueueGauges() {
        @Override
        public int depth() {
            return 0;
        }

        @Override
        public Map<Integer, Integer> depthByPriority() {
            return Map.of();
        }

        @Override
        public Duration unfinishedWork() {
            return Duration.ZERO;
        }

        @Override
        public Duration longestRunning() {
            return Duration.ZERO;
        }
    };

    @Test
    void disabledMetrics_areNotOnThePage() {
        ManagerSettings settings = ManagerSettings.of(
                OptionTable.ALL.parse("--secure-port=0", "--disabled-metrics=workqueue_adds_total,workqueue_depth"),
                ControllerTable.BUILT_IN);
        try (ManagerStatus status = ManagerStatus.start(settings)) {
            QueueMetrics queue = status.queueMetrics().register("endpoint", EMPTY);
            queue.added();
            queue.retried(Duration.ofSeconds(1));

            assertThat(new String(status.metrics(), StandardCharsets.UTF_8))
                    .contains("workqueue_retries_total{name=\"endpoint\"} 1.0")
                    .doesNotContain("workqueue_adds", "workqueue_depth");
        }
    }

    @Test
    void process_hasTheMetricsOfEveryClientOfPrometheus() {
        ManagerSettings settings =
                ManagerSettings.of(OptionTable.ALL.parse("--secure-port=0"), ControllerTable.BUILT_IN);
        try (ManagerStatus status = ManagerStatus.start(settings)) {
            assertThat(new String(status.metrics(), StandardCharsets.UTF_8))
                    .contains("# TYPE process_cpu_seconds_total counter")
                    .containsPattern("\nprocess_start_time_seconds [1-9]")
                    .containsPattern("\nprocess_resident_memory_bytes [1-9]")
                    .containsPattern("\nprocess_virtual_memory_bytes [1-9]")
                    .containsPattern("\nprocess_open_fds [1-9]")
                    .containsPattern("\nprocess_max_fds [1-9+]");
        }
    }

    @Test
    void livePage_needsTheKeyOfItsAddress() throws Exception {
        int port;
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        ManagerSettings settings = ManagerSettings.of(
                OptionTable.ALL.parse("--secure-port=0", "--http-port=" + port), ControllerTable.BUILT_IN);
        try (ManagerStatus status = ManagerStatus.start(settings)) {
            URI page = Objects.requireNonNull(status.livePage());
            assertThat(page.toString()).startsWith("http://127.0.0.1:" + port + "/#key=");
            assertThat(get(page, "/", "")).isEqualTo(200);
            for (String path : List.of("/live/stages.json", "/live/store.json?resource=pods", "/live/stream")) {
                assertThat(get(page, path, "wrong")).as(path).isEqualTo(401);
            }
            String key = page.getFragment().substring("key=".length());
            assertThat(get(page, "/live/stages.json", key)).isEqualTo(200);
        }
    }

    private static int get(URI page, String path, String key) throws Exception {
        HttpURLConnection connection =
                (HttpURLConnection) page.resolve(path).toURL().openConnection();
        connection.setRequestProperty("Authorization", "Bearer " + key);
        try {
            return connection.getResponseCode();
        } finally {
            connection.disconnect();
        }
    }
}
