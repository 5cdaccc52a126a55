package io.kubeloop.controller.leaderelection;

/**
 * What an elector tells the world about itself (upstream: {@code leaderelection/metrics.go}). Thread-safe, quick. What it throws
 * is logged, and of no consequence.
 */
public interface LeaderElectionMetrics {

    /** Tells nobody. */
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
