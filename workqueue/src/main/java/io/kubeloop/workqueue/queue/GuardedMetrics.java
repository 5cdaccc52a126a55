package io.kubeloop.workqueue.queue;

import io.kubeloop.runtime.UserCallbacks;
import io.kubeloop.workqueue.QueueMetrics;
import io.kubeloop.workqueue.QueueTransition;
import java.time.Duration;

/** Metrics that delegate to those of a user, and report any error that those throw. Thread-safe if those are. */
record GuardedMetrics(QueueMetrics metrics) implements QueueMetrics {

    @Override
    public void added() {
        UserCallbacks.run(metrics::added);
    }

    @Override
    public void taken(Duration waited) {
        UserCallbacks.run(() -> metrics.taken(waited));
    }

    @Override
    public void processed(Duration worked) {
        UserCallbacks.run(() -> metrics.processed(worked));
    }

    @Override
    public void retried(Duration delay) {
        UserCallbacks.run(() -> metrics.retried(delay));
    }

    @Override
    public void onTransition(QueueTransition transition, Object item) {
        try {
            metrics.onTransition(transition, item);
        } catch (Throwable e) {
            UserCallbacks.report(e);
        }
    }

    @Override
    public void close() {
        UserCallbacks.run(metrics::close);
    }
}
