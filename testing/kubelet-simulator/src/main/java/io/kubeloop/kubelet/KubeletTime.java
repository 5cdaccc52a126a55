/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.kubelet;

import java.time.Clock;
import java.time.Duration;

/**
 * The time of a simulated kubelet: its clock, its delays, and a count of its work. A test replaces it to control time.
 * Implementations must be thread-safe, and no method may block.
 */
public interface KubeletTime {

    /** Returns the time of day, for the timestamps in the objects and for delays. */
    Clock clock();

    /**
     * Runs a task once after a delay. The task is short: it hands work to the kubelet's threads.
     *
     * @param delay zero or less runs the task as soon as possible
     */
    void schedule(Duration delay, Runnable task);

    /**
     * Counts a unit of work that begins: a queued step of a pod, or a watch that is being read. Default: does nothing.
     */
    default void workBegins() {}

    /** Counts the end of a unit of work. Default: does nothing. */
    default void workEnds() {}
}
