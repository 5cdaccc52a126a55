package io.kubeloop.app.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.ResourceTypes;
import io.kubeloop.controller.ControllerMetric;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class PrometheusControllerMetricsTest {

    private final PrometheusRegistry registry = new PrometheusRegistry();
    private final PrometheusControllerMetrics metrics = new PrometheusControllerMetrics(registry);

    @Test
    void staleSyncs_haveTheNamesLabelsAndTypeOfKubeControllerManager() throws IOException {
        metrics.staleSync("statefulset", ResourceTypes.STATEFUL_SETS);
        metrics.staleSync("replicaset", ResourceTypes.PODS);
        metrics.staleSync("replicaset", ResourceTypes.PODS);

        assertThat(Scrape.of(registry))
                .contains(
                        "# TYPE statefulset_controller_stale_sync_skips_total counter",
                        "statefulset_controller_stale_sync_skips_total{group=\"apps\",resource=\"statefulsets\"} 1.0",
                        "replicaset_controller_stale_sync_skips_total{group=\"\",resource=\"pods\"} 2.0");
    }

    @Test
    void metric_isExportedByItsType() throws IOException {
        ControllerMetric gauge = ControllerMetric.gauge("some_replicas", "Replicas", "namespace");
        ControllerMetric histogram = ControllerMetric.histogram("some_seconds", "Seconds", 0.5, 2);
        metrics.record(gauge, 3, "default");
        metrics.record(gauge, 2, "default");
        metrics.record(histogram, 0.7);
        metrics.record(histogram, 7);

        assertThat(Scrape.of(registry))
                .contains(
                        "some_replicas{namespace=\"default\"} 2.0",
                        "some_seconds_bucket{le=\"0.5\"} 0",
                        "some_seconds_bucket{le=\"1.0\"} 1",
                        "some_seconds_bucket{le=\"+Inf\"} 2");
    }

    @Test
    void counterWithoutTheUsualEnding_keepsItsName() throws IOException {
        ControllerMetric counter = ControllerMetric.counter("some_syncs", "Syncs", "result");
        metrics.record(counter, 1, "success");
        metrics.record(counter, 1, "success");

        assertThat(Scrape.of(registry)).contains("some_syncs{result=\"success\"} 2.0");
    }
}
