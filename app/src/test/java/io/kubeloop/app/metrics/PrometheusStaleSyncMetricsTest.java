package io.kubeloop.app.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.ResourceTypes;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class PrometheusStaleSyncMetricsTest {

    @Test
    void metrics_haveTheNamesLabelsAndTypeOfKubeControllerManager() throws IOException {
        PrometheusRegistry registry = new PrometheusRegistry();
        PrometheusStaleSyncMetrics metrics = new PrometheusStaleSyncMetrics(registry);
        metrics.staleSync("daemonset", ResourceTypes.PODS);
        metrics.staleSync("statefulset", ResourceTypes.STATEFUL_SETS);
        metrics.staleSync("job", ResourceTypes.JOBS);
        metrics.staleSync("replicaset", ResourceTypes.PODS);
        metrics.staleSync("replicationcontroller", ResourceTypes.PODS);
        metrics.staleSync("deployment", ResourceTypes.REPLICA_SETS);

        assertThat(Scrape.of(registry))
                .contains(
                        "# TYPE job_controller_stale_sync_skips_total counter",
                        "daemonset_controller_stale_sync_skips_total{group=\"\",resource=\"pods\"} 1.0",
                        "statefulset_controller_stale_sync_skips_total{group=\"apps\",resource=\"statefulsets\"} 1.0",
                        "job_controller_stale_sync_skips_total{group=\"batch\",resource=\"jobs\"} 1.0",
                        "replicaset_controller_stale_sync_skips_total{group=\"\",resource=\"pods\"} 2.0")
                .doesNotContain("deployment");
    }
}
