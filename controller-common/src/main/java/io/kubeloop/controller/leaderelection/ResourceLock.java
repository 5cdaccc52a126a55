/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.leaderelection;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.client.ApiException;

/**
 * Access of one candidate to the object on the server that the candidates compete for (upstream: {@code
 * resourcelock.Interface}).
 *
 * <p>Implementations must be thread-safe. {@link #get}, {@link #create} and {@link #update} block until the server
 * responds, and throw what a {@link io.kubeloop.api.client.ResourceClient} throws. The elector abandons a call that
 * takes too long and interrupts its thread.
 */
public interface ResourceLock {

    /**
     * The lock as the server returned it.
     *
     * @param record its content
     * @param object the object itself; an update uses its resource version
     */
    record Locked(LeaderElectionRecord record, KubeObject object) {}

    /** Returns this candidate's identity: unique among the candidates, not empty. */
    String identity();

    /** Returns the name of the lock, as {@code namespace/name}. */
    String describe();

    /**
     * Reads the lock.
     *
     * @throws ApiException if it does not exist, among other reasons
     */
    Locked get();

    /** Creates the lock. */
    Locked create(LeaderElectionRecord record);

    /**
     * Replaces the content of the lock.
     *
     * @param last the lock as last read or written
     * @throws ApiException if it has changed since, among other reasons
     */
    Locked update(Locked last, LeaderElectionRecord record);

    /** Records an event about this candidate, such as {@code became leader}. Must not throw and must not block. */
    void recordEvent(String event);

    /**
     * Returns whether a coordinator assigns the lock. Candidates of such a lock never acquire it; the one that the
     * coordinator names as holder renews it. Default: false.
     */
    default boolean isAssigned() {
        return false;
    }
}
