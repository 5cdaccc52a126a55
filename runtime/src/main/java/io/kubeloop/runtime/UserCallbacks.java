/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.runtime;

import java.util.function.Consumer;

/**
 * Calls of user code, whose errors must not break the caller or end its thread. Thread-safe.
 *
 * <p>An instance stands for one kind of user code, such as one handler or the metrics of one informer: an error is
 * logged, at most once a minute, and has no further effect. Callers must not hold a lock. Each call blocks for as long
 * as the user code does.
 */
public final class UserCallbacks {

    private final LogThrottle logsFailure;

    /** Makes calls of one kind of user code; the scheduler paces its log lines. */
    public UserCallbacks(Scheduler scheduler) {
        logsFailure = new LogThrottle(scheduler);
    }

    /**
     * Passes the error to the current thread's uncaught exception handler; the default handler prints it. Never throws.
     */
    public static void report(Throwable error) {
        Thread thread = Thread.currentThread();
        try {
            thread.getUncaughtExceptionHandler().uncaughtException(thread, error);
        } catch (Throwable e) {
            // The JVM also ignores an error of the handler when a thread dies.
        }
    }

    /**
     * Runs the call, and {@linkplain #report reports} any error that it throws. Also for log lines: a user's exception
     * may throw while it is printed, and memory may be short.
     */
    public static void run(Runnable call) {
        try {
            call.run();
        } catch (Throwable e) {
            report(e);
        }
    }

    /**
     * Runs user code on any thread, and passes what it throws to the log line. Never throws, and keeps the interrupt
     * flag. For calls that are too rare for an instance, such as the shutdown of a controller.
     */
    public static void attempt(Runnable call, Consumer<Throwable> logLine) {
        try {
            call.run();
        } catch (Throwable e) {
            run(() -> logLine.accept(e));
        }
    }

    /** Clears the interrupt flag that user code may have left behind on a thread of this library. */
    public static void clearInterrupt() {
        Thread.interrupted();
    }

    /**
     * Runs user code on a thread of this library, and clears the interrupt flag that it may leave behind: the flag
     * would end the next wait of that thread.
     *
     * @param logLine writes one line about the error
     */
    public void run(Runnable call, Consumer<Throwable> logLine) {
        try {
            call.run();
        } catch (Throwable e) {
            failed(e, logLine);
        } finally {
            clearInterrupt();
        }
    }

    /** Logs what user code has thrown. Never throws. */
    public void failed(Throwable failure, Consumer<Throwable> logLine) {
        run(() -> {
            if (logsFailure.now()) {
                logLine.accept(failure);
            }
        });
    }
}
