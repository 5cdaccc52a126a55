package io.kubeloop.controller.leaderelection;

import io.kubeloop.api.MicroTime;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a lock object says (upstream: {@code resourcelock.LeaderElectionRecord}).
 *
 * <p>The times are for people: they come from the holder's clock, and no candidate compares them with its own.
 *
 * @param holderIdentity who leads; "" for nobody
 * @param leaseDurationSeconds after how many seconds without change others may take the lock
 * @param acquireTime since when the holder leads; null if absent
 * @param renewTime when the holder last said so; null if absent
 * @param leaderTransitions how often the holder changed
 */
public record LeaderElectionRecord(
        String holderIdentity,
        int leaseDurationSeconds,
        @Nullable MicroTime acquireTime,
        @Nullable MicroTime renewTime,
        int leaderTransitions) {

    /** Says that the lock was never seen. */
    static final LeaderElectionRecord UNSEEN = new LeaderElectionRecord("", 0, null, null, 0);

    /** Checks that there is an identity. */
    public LeaderElectionRecord {
        Objects.requireNonNull(holderIdentity, "holderIdentity");
    }
}
