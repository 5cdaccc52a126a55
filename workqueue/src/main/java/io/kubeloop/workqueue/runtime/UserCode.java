package io.kubeloop.workqueue.runtime;

import io.kubeloop.workqueue.QueueMetrics;
import java.time.Duration;

/**
 * Calls of user code that must not break the queue or end its threads: errors go to the thread's handler of uncaught
 * exceptions. Thread-safe: without state.
 */
public final class UserCode {

    private UserCode() {}

    /** Passes the error to the current thread's handler of uncaught exceptions; the default handler prints it. */
    public static void report(Throwable error) {
        Thread thread = Thread.currentThread();
        try {
            thread.getUncaughtExceptionHandler().uncaughtException(thread, error);
        } catch (Throwable e) {
            // The JVM also ignores what the handler throws when a thread dies.
        }
    }

    /** Runs the call, and reports whatever it throws. */
    public static void run(Runnable call) {
        try {
            call.run();
        } catch (Throwable e) {
            report(e);
        }
    }

    /** Returns metrics that call these, and report whatever they throw. */
    public static QueueMetrics guard(QueueMetrics metrics) {
        return new GuardedMetrics(metrics);
    }

    private record GuardedMetrics(QueueMetrics metrics) implements QueueMetrics {

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
    }
}
