package io.kubeloop.workqueue.runtime;

import io.kubeloop.workqueue.ItemMove;
import io.kubeloop.workqueue.QueueMetrics;
import java.time.Duration;

/**
 * Calls user code whose errors must not break the queue or end its threads. The errors go to the thread's uncaught exception
 * handler. Thread-safe: stateless.
 */
public final class UserCode {

    private UserCode() {}

    /** Passes the error to the current thread's uncaught exception handler; the default handler prints it. */
    public static void report(Throwable error) {
        Thread thread = Thread.currentThread();
        try {
            thread.getUncaughtExceptionHandler().uncaughtException(thread, error);
        } catch (Throwable e) {
            // The JVM also ignores an error of the handler when a thread dies.
        }
    }

    /** Runs the call, and reports any error that it throws. */
    public static void run(Runnable call) {
        try {
            call.run();
        } catch (Throwable e) {
            report(e);
        }
    }

    /** Returns metrics that delegate to the given ones, and report any error that those throw. */
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
        public void moved(ItemMove move, Object item) {
            try {
                metrics.moved(move, item);
            } catch (Throwable e) {
                report(e);
            }
        }

        @Override
        public void close() {
            run(metrics::close);
        }
    }
}
