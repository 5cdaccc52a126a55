package io.kubeloop.workqueue;

import java.time.Duration;

/**
 * What one queue tells the world about itself while it works: counters and histograms (upstream:
 * {@code util/workqueue/metrics.go}). What can be asked at any time is in {@link QueueGauges}.
 *
 * <p>Called from the threads that use the queue, never under its lock: implementations are thread-safe and quick. What
 * they throw goes to the thread's handler of uncaught exceptions; the queue goes on.
 */
public interface QueueMetrics extends AutoCloseable {

    /** Counts an item that was added, and was not waiting already: {@code workqueue_adds_total}. */
    void added();

    /** Observes how long an item waited in the queue: {@code workqueue_queue_duration_seconds}. */
    void taken(Duration waited);

    /** Observes how long processing an item took: {@code workqueue_work_duration_seconds}. */
    void processed(Duration worked);

    /** Counts an item that is to be added later: {@code workqueue_retries_total}. The delay is zero or more. */
    void retried(Duration delay);

    /**
     * Says that the queue was shut down: the series of this queue may go, and its gauges need not be asked again. Workers
     * that are still busy may call the other methods once more.
     */
    @Override
    void close();
}
