package io.kubeloop.controller.leaderelection;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.client.ApiException;

/**
 * The object on the server that candidates agree on, seen by one candidate (upstream: {@code resourcelock.Interface}).
 *
 * <p>Every call that goes to the server blocks and throws what a {@link io.kubeloop.api.client.ResourceClient} throws.
 * Thread-safe.
 */
public interface ResourceLock {

    /**
     * The lock as the server had it.
     *
     * @param record what it says
     * @param object the object itself, whose resource version an update relies on
     */
    record Locked(LeaderElectionRecord record, KubeObject object) {}

    /** Returns who this candidate is; unique among the candidates, not empty. */
    String identity();

    /** Returns the name of the lock, as {@code namespace/name}. */
    String describe();

    /**
     * Reads the lock.
     *
     * @throws ApiException if there is none, among others
     */
    Locked get();

    /** Creates the lock. */
    Locked create(LeaderElectionRecord record);

    /**
     * Replaces what the lock says.
     *
     * @param last the lock as it was last seen
     * @throws ApiException if it has changed since, among others
     */
    Locked update(Locked last, LeaderElectionRecord record);

    /** Reports an event about this candidate, such as {@code became leader}. Never throws and never blocks. */
    void recordEvent(String event);
}
