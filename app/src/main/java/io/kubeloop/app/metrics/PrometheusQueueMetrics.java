package io.kubeloop.app.metrics;

import io.kubeloop.workqueue.QueueGauges;
import io.kubeloop.workqueue.QueueMetrics;
import io.kubeloop.workqueue.QueueMetricsProvider;
import io.prometheus.metrics.core.datapoints.CounterDataPoint;
import io.prometheus.metrics.core.datapoints.DistributionDataPoint;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToDoubleFunction;

/**
 * Exports the metrics of work queues under client-go's names, one label {@code name} (upstream: {@code
 * component-base/metrics/prometheus/workqueue}). Thread-safe.
 */
public final class PrometheusQueueMetrics implements QueueMetricsProvider {

    private static final double[] BUCKETS = {1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 0.1, 1, 10};

    private final Map<String, QueueGauges> queues = new ConcurrentHashMap<>();
    private final Counter adds;
    private final Counter retries;
    private final Histogram waited;
    private final Histogram worked;

    public PrometheusQueueMetrics(PrometheusRegistry registry) {
        adds = Counter.builder()
                .name("workqueue_adds_total")
                .help("Items added that were not queued already")
                .labelNames("name")
                .register(registry);
        retries = Counter.builder()
                .name("workqueue_retries_total")
                .help("Items added with a delay, such as retries")
                .labelNames("name")
                .register(registry);
        waited = Histogram.builder()
                .name("workqueue_queue_duration_seconds")
                .help("Seconds from the addition of an item until a worker takes it")
                .labelNames("name")
                .classicOnly()
                .classicUpperBounds(BUCKETS)
                .register(registry);
        worked = Histogram.builder()
                .name("workqueue_work_duration_seconds")
                .help("Seconds from the time a worker takes an item until it is done")
                .labelNames("name")
                .classicOnly()
                .classicUpperBounds(BUCKETS)
                .register(registry);
        gauge(registry, "workqueue_depth", "Queued items", QueueGauges::depth);
        gauge(
                registry,
                "workqueue_unfinished_work_seconds",
                "Seconds of unfinished processing, the sum of all items in processing",
                gauges -> Seconds.of(gauges.unfinishedWork()));
        gauge(
                registry,
                "workqueue_longest_running_processor_seconds",
                "Seconds of processing of the oldest item in processing",
                gauges -> Seconds.of(gauges.longestRunning()));
    }

    private void gauge(PrometheusRegistry registry, String name, String help, ToDoubleFunction<QueueGauges> value) {
        GaugeWithCallback.builder()
                .name(name)
                .help(help)
                .labelNames("name")
                .callback(callback ->
                        queues.forEach((queue, gauges) -> callback.call(value.applyAsDouble(gauges), queue)))
                .register(registry);
    }

    @Override
    public QueueMetrics register(String name, QueueGauges gauges) {
        queues.put(name, gauges);
        // Looked up once, because a queue reports every item.
        CounterDataPoint added = adds.labelValues(name);
        CounterDataPoint retried = retries.labelValues(name);
        DistributionDataPoint taken = waited.labelValues(name);
        DistributionDataPoint processed = worked.labelValues(name);
        return new QueueMetrics() {
            @Override
            public void added() {
                added.inc();
            }

            @Override
            public void taken(Duration duration) {
                taken.observe(Seconds.of(duration));
            }

            @Override
            public void processed(Duration duration) {
                processed.observe(Seconds.of(duration));
            }

            @Override
            public void retried(Duration delay) {
                retried.inc();
            }

            @Override
            public void close() {
                queues.remove(name, gauges);
            }
        };
    }
}
