package io.kubeloop.app.metrics;

import io.kubeloop.controller.ControllerMetric;
import io.kubeloop.controller.ControllerMetrics;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.Gauge;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Exports the metrics of controllers under upstream's names. A metric appears with its first value. Thread-safe. */
public final class PrometheusControllerMetrics implements ControllerMetrics {

    private final PrometheusRegistry registry;

    /** The registered metrics by name. */
    private final Map<String, Recorder> recorders = new ConcurrentHashMap<>();

    public PrometheusControllerMetrics(PrometheusRegistry registry) {
        this.registry = registry;
    }

    @FunctionalInterface
    private interface Recorder {
        void record(double value, String... labels);
    }

    @Override
    public void record(ControllerMetric metric, double value, String... labels) {
        recorders.computeIfAbsent(metric.name(), unused -> register(metric)).record(value, labels);
    }

    private Recorder register(ControllerMetric metric) {
        String[] names = metric.labels().toArray(String[]::new);
        return switch (metric.type()) {
            case COUNTER -> {
                Counter counter = Counter.builder()
                        .name(metric.name())
                        .help(metric.help())
                        .labelNames(names)
                        .register(registry);
                yield (value, labels) -> counter.labelValues(labels).inc(value);
            }
            case GAUGE -> {
                Gauge gauge = Gauge.builder()
                        .name(metric.name())
                        .help(metric.help())
                        .labelNames(names)
                        .register(registry);
                yield (value, labels) -> gauge.labelValues(labels).set(value);
            }
            case HISTOGRAM -> {
                Histogram histogram = Histogram.builder()
                        .name(metric.name())
                        .help(metric.help())
                        .labelNames(names)
                        .classicOnly()
                        .classicUpperBounds(metric.buckets().stream()
                                .mapToDouble(Double::doubleValue)
                                .toArray())
                        .register(registry);
                yield (value, labels) -> histogram.labelValues(labels).observe(value);
            }
        };
    }
}
