package io.kubeloop.workqueue;

import java.time.Duration;
import java.util.Map;

/**
 * The state of a queue, asked whenever its metrics are read.
 *
 * <p>Upstream computes the latter two every 500 ms on a goroutine; asked on demand they cost no thread and are exact.
 * Thread-safe.
 */
public interface QueueGauges {

    /** Returns how many items wait: {@code workqueue_depth}. */
    int depth();

    /**
     * Returns how many items of each priority wait, highest priority first: {@code workqueue_depth} with a label {@code
     * priority}, as controller-runtime has it. A priority without items is absent. A queue that knows no priorities gives
     * everything the priority 0.
     */
    Map<Integer, Integer> depthByPriority();

    /**
     * Returns for how long the items that are being processed have been so, in total:
     * {@code workqueue_unfinished_work_seconds}. O(n) in such items.
     */
    Duration unfinishedWork();

    /**
     * Returns for how long the oldest item has been processed; zero if there is none:
     * {@code workqueue_longest_running_processor_seconds}.
     */
    Duration longestRunning();
}
