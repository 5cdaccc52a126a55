/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.workqueue;

/** Creates the metrics of queues (upstream: {@code workqueue.MetricsProvider}). Implementations must be thread-safe. */
@FunctionalInterface
public interface QueueMetricsProvider {

    /**
     * Returns the metrics of a new queue.
     *
     * @param name the queue's name, used as the label {@code name} of each series; not empty
     * @param gauges the gauges of the queue, to be read whenever the metrics are read
     */
    QueueMetrics register(String name, QueueGauges gauges);
}
