package io.kubeloop.workqueue;

/** Makes the metrics of queues (upstream: {@code workqueue.MetricsProvider}). Thread-safe. */
@FunctionalInterface
public interface QueueMetricsProvider {

    /**
     * Returns the metrics of a new queue.
     *
     * @param name the queue's name, the label {@code name} of each series; not empty
     * @param gauges what to ask whenever the metrics are read
     */
    QueueMetrics register(String name, QueueGauges gauges);
}
