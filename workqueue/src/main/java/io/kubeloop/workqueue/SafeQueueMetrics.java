package io.kubeloop.workqueue;

import java.time.Duration;

/** The user's metrics, kept from throwing into the queue: an error goes to the thread's handler of uncaught exceptions. */
record SafeQueueMetrics(QueueMetrics metrics) implements QueueMetrics {

    @Override
    public void added() {
        run(metrics::added);
    }

    @Override
    public void taken(Duration waited) {
        run(() -> metrics.taken(waited));
    }

    @Override
    public void processed(Duration worked) {
        run(() -> metrics.processed(worked));
    }

    @Override
    public void retried(Duration delay) {
        run(() -> metrics.retried(delay));
    }

    @Override
    public void close() {
        run(metrics::close);
    }

    private static void run(Runnable call) {
        try {
            call.run();
        } catch (Throwable e) {
            Failures.report(e);
        }
    }
}
