package io.kubeloop.cache.runtime;

import io.kubeloop.cache.Timers;
import java.util.function.Consumer;

/**
 * Calls of one kind of user code, such as one handler or the metrics of one informer: an exception is logged, at most once a
 * minute, and has no further effect. Thread-safe.
 *
 * <p>Callers must not hold a lock. {@link #run} blocks for as long as the user code does.
 */
public final class ExceptionGuard {

    private final LogThrottle logsFailure;

    /** Makes a guard; the timers pace its log lines. */
    public ExceptionGuard(Timers timers) {
        logsFailure = new LogThrottle(timers);
    }

    /**
     * Runs user code on a thread of this library, and clears the interrupt flag that it may leave behind: the flag would end the
     * next wait of that thread.
     *
     * @param logLine writes one line about the exception
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
        SafeLog.log(() -> {
            if (logsFailure.now()) {
                logLine.accept(failure);
            }
        });
    }

    /** Clears the interrupt flag that user code may have left behind on a thread of this library. */
    public static void clearInterrupt() {
        Thread.interrupted();
    }
}
