package io.kubeloop.app.metrics;

import io.kubeloop.controller.ControllerMetric;
import io.kubeloop.controller.ControllerMetrics;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.Gauge;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Exports the metrics of controllers under upstream's names. A metric appears with its first value. Thread-safe.
 *
 * <p>The library appends {@code _total} to the name of each counter. A counter of upstream without this ending keeps its name and is
 * exported as a gauge, so that queries by name find it.
 */
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
                if (!metric.name().endsWith("_total")) {
                    Gauge gauge = gauge(metric, names);
                    yield (value, labels) -> gauge.labelValues(labels).inc(value);
                }
                Counter counter = Counter.builder()
                        .name(metric.name())
                        .help(metric.help())
                        .labelNames(names)
                        .register(registry);
                yield (value, labels) -> counter.labelValues(labels).inc(value);
            }
            case GAUGE -> {
                Gauge gauge = gauge(metric, names);
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

    private Gauge gauge(ControllerMetric metric, String[] labels) {
        return Gauge.builder()
                .name(metric.name())
                .help(metric.help())
                .labelNames(labels)
                .register(registry);
    }
}
