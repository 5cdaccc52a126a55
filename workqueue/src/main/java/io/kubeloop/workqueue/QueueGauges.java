/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.workqueue;

import java.time.Duration;
import java.util.Map;

/**
 * The gauges of a queue, which a metrics library reads on demand.
 *
 * <p>Upstream computes {@link #unfinishedWork} and {@link #longestRunning} every 500 ms on a goroutine. Here they are
 * computed on demand, so they cost no thread and are exact. Thread-safe.
 */
public interface QueueGauges {

    /** Returns the number of ready items: {@code workqueue_depth}. */
    int depth();

    /**
     * Returns the number of ready items by priority, highest priority first: {@code workqueue_depth} with the label
     * {@code priority} of controller-runtime. Priorities without items are absent. In a queue without priorities every
     * item has priority
     * 0.
     */
    Map<Integer, Integer> depthByPriority();

    /**
     * Returns the total time that the items in processing have been in processing: {@code
     * workqueue_unfinished_work_seconds}. O(n) in the number of these items.
     */
    Duration unfinishedWork();

    /**
     * Returns the time that the oldest item has been in processing, or zero if there is none:
     * {@code workqueue_longest_running_processor_seconds}.
     */
    Duration longestRunning();
}
