package io.kubeloop.controller.leaderelection;

import io.kubeloop.controller.leaderelection.ResourceLock.Locked;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What a candidate knows of the lock, and since when. Immutable.
 *
 * @param locked the lock as last seen; null if it was never seen
 * @param observedAt when it was first seen like this, by the local monotonic clock. What others wrote counts from after the
 *     read, what this candidate wrote from before it was sent: the candidate never believes in a lease for too long when
 *     it is its own, nor too short when it is another's
 */
record Observation(@Nullable Locked locked, long observedAt) {

    LeaderElectionRecord record() {
        return locked == null ? LeaderElectionRecord.UNSEEN : locked.record();
    }

    boolean isHeldBy(String identity) {
        return record().holderIdentity().equals(identity);
    }

    /** Returns whether the lease still holds; its own duration counts, not the one configured here (LE-24). */
    boolean isValid(long now) {
        return now - observedAt
                < Duration.ofSeconds(record().leaseDurationSeconds()).toNanos();
    }

    /**
     * Returns what is known after a read. A lock that says the same is as old as it was (LE-23). So is one that is still
     * this candidate's: a renewal whose answer was lost has arrived, but nobody knows when.
     */
    Observation after(Locked read, String identity, long now) {
        boolean same = locked != null && read.record().equals(locked.record());
        boolean mine = isHeldBy(identity) && read.record().holderIdentity().equals(identity);
        return new Observation(read, same || mine ? observedAt : now);
    }
}
