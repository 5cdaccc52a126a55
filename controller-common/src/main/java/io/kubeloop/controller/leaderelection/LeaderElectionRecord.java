/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.leaderelection;

import io.kubeloop.api.MicroTime;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The content of a lock object (upstream: {@code resourcelock.LeaderElectionRecord}).
 *
 * <p>The times are informational: they come from the holder's clock, and no candidate compares them with its own clock.
 *
 * @param holderIdentity the leader's identity; "" if there is none
 * @param leaseDurationSeconds the number of seconds without change after which another candidate may acquire the lock
 * @param acquireTime when the holder became leader; null if absent
 * @param renewTime when the holder last renewed; null if absent
 * @param leaderTransitions the number of changes of the holder
 */
public record LeaderElectionRecord(
        String holderIdentity,
        int leaseDurationSeconds,
        @Nullable MicroTime acquireTime,
        @Nullable MicroTime renewTime,
        int leaderTransitions) {

    /** The record of a lock that was never observed. */
    static final LeaderElectionRecord UNSEEN = new LeaderElectionRecord("", 0, null, null, 0);

    /** Checks that there is an identity. */
    public LeaderElectionRecord {
        Objects.requireNonNull(holderIdentity, "holderIdentity");
    }
}
