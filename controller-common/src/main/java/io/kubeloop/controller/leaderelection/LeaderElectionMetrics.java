/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.leaderelection;

/**
 * Receives the metrics of an elector (upstream: {@code leaderelection/metrics.go}). Implementations must be
 * thread-safe and quick; an exception is logged and has no other effect.
 */
public interface LeaderElectionMetrics {

    /** Discards all metrics. */
    LeaderElectionMetrics NONE = new LeaderElectionMetrics() {
        @Override
        public void leading(boolean leading) {}

        @Override
        public void slowPath() {}
    };

    /** Sets whether this candidate leads: {@code leader_election_master_status}. */
    void leading(boolean leading);

    /** Counts a renewal that had to read the lock first: {@code leader_election_slowpath_total}. */
    void slowPath();
}
