package io.kubeloop.controller.leaderelection;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Passes on to metrics that somebody else wrote. What they throw costs a line in the log: numbers must not end an attempt, and
 * still less keep a leader from stopping its work. As thread-safe as they are.
 */
final class GuardedMetrics implements LeaderElectionMetrics {

    private static final Logger log = LoggerFactory.getLogger(GuardedMetrics.class);

    private final LeaderElectionMetrics metrics;
    private final String lock;

    GuardedMetrics(LeaderElectionMetrics metrics, String lock) {
        this.metrics = metrics;
        this.lock = lock;
    }

    @Override
    public void leading(boolean leading) {
        guard(() -> metrics.leading(leading));
    }

    @Override
    public void slowPath() {
        guard(metrics::slowPath);
    }

    private void guard(Runnable action) {
        try {
            action.run();
        } catch (Throwable e) {
            log.error("Metrics of the candidate for lease {} failed", lock, e);
        }
    }
}
