package io.kubeloop.workqueue;

import java.time.Duration;

/**
 * Receives the counters and histograms of one queue (upstream: {@code util/workqueue/metrics.go}). {@link QueueGauges} has
 * the values that can be read at any time.
 *
 * <p>The threads that use the queue call it without the queue's lock. Implementations must be thread-safe and quick. Their
 * errors go to the thread's handler of uncaught exceptions; the queue continues.
 */
public interface QueueMetrics extends AutoCloseable {

    /** Counts an item that was added, and was not waiting already: {@code workqueue_adds_total}. */
    void added();

    /** Observes how long an item waited in the queue: {@code workqueue_queue_duration_seconds}. */
    void taken(Duration waited);

    /** Observes how long processing an item took: {@code workqueue_work_duration_seconds}. */
    void processed(Duration worked);

    /**
     * Counts an item that is added with {@code addAfter} or {@code addRateLimited}: {@code workqueue_retries_total}. So it
     * counts planned later syncs as well as retries. The delay is zero or more; a priority queue counts only delays above
     * zero.
     */
    void retried(Duration delay);

    /**
     * Ends the metrics after the queue was shut down: the series of this queue can be removed. Busy workers may call the
     * other methods once more.
     */
    @Override
    void close();
}
