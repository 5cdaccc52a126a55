/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.leaderelection;

import io.kubeloop.controller.leaderelection.ResourceLock.Locked;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The lock as a candidate last observed it, and the local time of that observation. Immutable.
 *
 * @param locked the lock; null if it was never observed
 * @param observedAt when this content was first observed, by the local monotonic clock. For another holder's write, it
 *     is the time after the read; for an own write, the time before it was sent. So a candidate never overestimates its
 *     own lease, nor underestimates another's
 */
record Observation(@Nullable Locked locked, long observedAt) {

    LeaderElectionRecord record() {
        return locked == null ? LeaderElectionRecord.UNSEEN : locked.record();
    }

    boolean isHeldBy(String identity) {
        return record().holderIdentity().equals(identity);
    }

    /** Returns whether the lease has not expired, by the duration in the lock, not by the one configured here. */
    boolean isValid(long now) {
        return now - observedAt
                < Duration.ofSeconds(record().leaseDurationSeconds()).toNanos();
    }

    /**
     * Returns the observation after a read. A lock with the same content keeps its time. So does a lock that this
     * candidate still holds: its last change is a renewal whose response was lost, at an unknown time.
     */
    Observation after(Locked read, String identity, long now) {
        boolean same = locked != null && read.record().equals(locked.record());
        boolean mine = isHeldBy(identity) && read.record().holderIdentity().equals(identity);
        return new Observation(read, same || mine ? observedAt : now);
    }
}
