package io.kubeloop.controller.leaderelection;

/**
 * What a candidate does when its role changes (upstream: {@code leaderelection.LeaderCallbacks}).
 *
 * <p>The calls come from different threads, so one may begin while another goes on.
 */
public interface LeaderCallbacks {

    /**
     * Called once when this candidate becomes leader, on a thread of its own. It may return early or stay for as long as it
     * leads; nobody waits for it. When leadership ends, the thread is interrupted. Throwing ends leadership.
     */
    void onStartedLeading() throws Exception;

    /**
     * Called exactly once before {@link LeaderElector#run} returns: after leadership has ended, for whatever reason, or was
     * never obtained. Stops all guarded work, and returns when it has stopped: the lease is released only afterwards.
     */
    void onStoppedLeading();

    /**
     * Called whenever a new leader was seen, this candidate included; with "" when there is none any more. In order, and
     * never two calls at a time.
     */
    default void onNewLeader(String identity) {}
}
