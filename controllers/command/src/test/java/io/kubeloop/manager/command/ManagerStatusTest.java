/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.manager.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.ResourceTypes;
import io.kubeloop.cache.InformerHealth;
import io.kubeloop.cache.ReflectorState;
import io.kubeloop.cache.metrics.InformerMetrics;
import io.kubeloop.manager.ControllerTable;
import io.kubeloop.workqueue.QueueGauges;
import io.kubeloop.workqueue.QueueMetrics;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ManagerStatusTest {

    /** Fifteen are the histogram of the original. */
    private static final int MOST_SERIES_OF_AN_INFORMER = 24;

    private static final InformerHealth HEALTH = new InformerHealth(
            "pods", ReflectorState.WATCHING, null, true, "1", "1", null, null, null, "", 1, 1, 0, 1, 0, List.of());

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
                ControllerManagerCommand.OPTIONS.parse(
                        "--secure-port=0", "--disabled-metrics=workqueue_adds_total,workqueue_depth"),
                ControllerTable.BUILT_IN);
        try (ManagerStatus status = ManagerStatus.start(settings, ManagerObserver.Factory.NONE)) {
            QueueMetrics queue = status.queueMetrics().register("endpoint", EMPTY);
            queue.added();
            queue.retried(Duration.ofSeconds(1));

            assertThat(new String(status.metrics(), StandardCharsets.UTF_8))
                    .contains("workqueue_retries_total{name=\"endpoint\"} 1.0")
                    .doesNotContain("workqueue_adds", "workqueue_depth");
        }
    }

    @Test
    void informers_haveNoHistogramThatTheOriginalLacks() {
        ManagerSettings settings =
                ManagerSettings.of(ControllerManagerCommand.OPTIONS.parse("--secure-port=0"), ControllerTable.BUILT_IN);
        try (ManagerStatus status = ManagerStatus.start(settings, ManagerObserver.Factory.NONE)) {
            InformerMetrics pods = status.informerMetrics().register(ResourceTypes.PODS, "pods", () -> HEALTH);
            pods.listed(1, Duration.ofSeconds(1));
            pods.watched(1, Duration.ofSeconds(1));
            pods.processed(Duration.ofMillis(1));

            assertThat(new String(status.metrics(), StandardCharsets.UTF_8).lines())
                    .filteredOn(line -> line.contains("name=\"pods\""))
                    .hasSize(MOST_SERIES_OF_AN_INFORMER)
                    .noneMatch(line -> line.contains("_max{") || line.contains("_duration_") || line.contains("_per_"));
        }
    }

    @Test
    void process_hasTheMetricsOfEveryClientOfPrometheus() {
        ManagerSettings settings =
                ManagerSettings.of(ControllerManagerCommand.OPTIONS.parse("--secure-port=0"), ControllerTable.BUILT_IN);
        try (ManagerStatus status = ManagerStatus.start(settings, ManagerObserver.Factory.NONE)) {
            assertThat(new String(status.metrics(), StandardCharsets.UTF_8))
                    .contains("# TYPE process_cpu_seconds_total counter")
                    .containsPattern("\nprocess_start_time_seconds [1-9]")
                    .containsPattern("\nprocess_resident_memory_bytes [1-9]")
                    .containsPattern("\nprocess_virtual_memory_bytes [1-9]")
                    .containsPattern("\nprocess_open_fds [1-9]")
                    .containsPattern("\nprocess_max_fds [1-9+]");
        }
    }
}
