/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.leaderelection;

/**
 * Callbacks of a candidate whose role changes (upstream: {@code leaderelection.LeaderCallbacks}).
 *
 * <p>The callbacks run on different threads, so two of them can overlap.
 */
public interface LeaderCallbacks {

    /**
     * Called once when this candidate becomes leader, on a thread of its own. It may return early or block as long as
     * the candidate leads. The thread is interrupted when leadership ends. An exception ends leadership.
     *
     * <p>If the scheduler of the election counts busy threads, it counts this one; see {@link
     * io.kubeloop.runtime.Scheduler#blocking} for a callback that blocks.
     */
    void onStartedLeading() throws Exception;

    /**
     * Called exactly once before {@link LeaderElector#run} returns: after leadership has ended for any reason, or was
     * never obtained. It must stop all guarded work and return when that has stopped. The lease is released only
     * afterwards.
     */
    void onStoppedLeading();

    /**
     * Called when the leader changes, this candidate included; with "" when there is none. Calls arrive in order, one
     * at a time.
     */
    default void onNewLeader(String identity) {}
}
