/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.workqueue;

import java.time.Duration;

/**
 * Receives the counters and histograms of one queue (upstream: {@code util/workqueue/metrics.go}). {@link QueueGauges}
 * provides the gauges.
 *
 * <p>The threads that use the queue call it without the queue's lock. Implementations must be thread-safe and quick.
 * Their errors go to the thread's uncaught exception handler, and the queue continues.
 */
public interface QueueMetrics extends AutoCloseable {

    /** Counts an added item that was not already waiting: {@code workqueue_adds_total}. */
    void added();

    /** Observes the time that an item waited in the queue: {@code workqueue_queue_duration_seconds}. */
    void taken(Duration waited);

    /** Observes the time that the processing of an item took: {@code workqueue_work_duration_seconds}. */
    void processed(Duration worked);

    /**
     * Counts an item that is added with {@code addAfter} or {@code addRateLimited}: {@code workqueue_retries_total}. It
     * therefore counts scheduled syncs as well as retries. The delay is zero or more; a priority queue counts only
     * delays above zero.
     */
    void retried(Duration delay);

    /**
     * Reports a transition of one item, on the thread that causes it. Does nothing by default. It is called for every
     * transition, so an implementation that observes nothing must cost no more than the read of a volatile field.
     */
    default void onTransition(QueueTransition transition, Object item) {}

    /**
     * Ends the metrics after the queue was shut down; the series of this queue can be removed. Workers that are still
     * busy may call the other methods afterwards.
     */
    @Override
    void close();
}
