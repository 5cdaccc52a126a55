/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.podautoscaling;

import io.kubeloop.api.ObjectName;
import io.kubeloop.controller.ControllerMetric;
import io.kubeloop.controller.ControllerMetrics;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.stream.Stream;

/**
 * Records the controller's own metrics (upstream: package {@code monitor}). Thread-safe.
 *
 * @param metrics receives them
 * @param clock measures durations
 */
record AutoscalerMonitor(ControllerMetrics metrics, Clock clock) {

    private static final String PREFIX = "horizontal_pod_autoscaler_controller_";
    private static final ControllerMetric RECONCILIATIONS = ControllerMetric.counter(
            PREFIX + "reconciliations_total", "Syncs of autoscalers by what they did and failed at", "action", "error");
    private static final ControllerMetric RECONCILIATION_SECONDS = ControllerMetric.histogram(
            PREFIX + "reconciliation_duration_seconds", "Seconds of a sync", 0.001, 15, "action", "error");
    private static final ControllerMetric COMPUTATIONS = ControllerMetric.counter(
            PREFIX + "metric_computation_total",
            "Evaluations of metrics by their result",
            "action",
            "error",
            "metric_type");
    private static final ControllerMetric COMPUTATION_SECONDS = ControllerMetric.histogram(
            PREFIX + "metric_computation_duration_seconds",
            "Seconds of the evaluation of one metric",
            0.001,
            15,
            "action",
            "error",
            "metric_type");
    private static final ControllerMetric AUTOSCALERS =
            ControllerMetric.gauge(PREFIX + "num_horizontal_pod_autoscalers", "Autoscalers");
    private static final ControllerMetric DESIRED = ControllerMetric.gauge(
            PREFIX + "desired_replicas", "The number of pods that an autoscaler wants", "namespace", "hpa_name");

    /** Begins to measure a sync. */
    Observation reconciliation() {
        return new Observation(RECONCILIATIONS, RECONCILIATION_SECONDS);
    }

    /** Begins to measure the evaluation of a metric of a type. */
    Observation computation(String metricType) {
        return new Observation(COMPUTATIONS, COMPUTATION_SECONDS, metricType);
    }

    void autoscalers(int number) {
        metrics.record(AUTOSCALERS, number);
    }

    void desired(ObjectName autoscaler, int replicas) {
        metrics.record(DESIRED, replicas, autoscaler.namespace(), autoscaler.name());
    }

    /** Drops the series of an autoscaler that is gone. */
    void forget(ObjectName autoscaler) {
        metrics.forget(DESIRED, autoscaler.namespace(), autoscaler.name());
    }

    /**
     * One measured operation. It counts as failed inside of the cluster unless it is reported otherwise. For one
     * thread.
     */
    final class Observation implements AutoCloseable {

        private final ControllerMetric total;
        private final ControllerMetric seconds;
        private final String[] labels;
        private final Instant start = clock.instant();
        private String action = "none";
        private String error = "internal";

        private Observation(ControllerMetric total, ControllerMetric seconds, String... labels) {
            this.total = total;
            this.seconds = seconds;
            this.labels = labels;
        }

        void changes(int from, int to) {
            action = to > from ? "scale_up" : to < from ? "scale_down" : "none";
        }

        void succeeded() {
            error = "none";
        }

        /** Reports that the spec of the autoscaler is wrong. */
        void isWrongSpec() {
            error = "spec";
        }

        @Override
        public void close() {
            String[] values =
                    Stream.concat(Stream.of(action, error), Stream.of(labels)).toArray(String[]::new);
            metrics.record(total, 1, values);
            metrics.record(seconds, Duration.between(start, clock.instant()), values);
        }
    }
}
