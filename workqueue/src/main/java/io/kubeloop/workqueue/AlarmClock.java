package io.kubeloop.workqueue;

import io.kubeloop.workqueue.runtime.SystemAlarmClock;
import java.util.concurrent.ThreadFactory;

/**
 * The time of a queue: a monotonic clock that can also ring (upstream: {@code clock.WithTicker} of
 * {@code k8s.io/utils}).
 *
 * <p>One seam for everything that waits in this package, so that a test can move time by hand and see the effect before
 * the call returns. Implementations are thread-safe.
 */
public interface AlarmClock {

    /** Returns the time in nanoseconds since some fixed moment; only differences mean something. */
    long nanoTime();

    /**
     * Makes an alarm that is not set.
     *
     * @param name names the thread on which it rings, if it has one of its own
     * @param action what to do when it rings; quick, and never called twice at a time
     */
    Alarm newAlarm(String name, Runnable action);

    /** Something that rings once each time it was set. Thread-safe. */
    interface Alarm extends AutoCloseable {

        /**
         * Sets the alarm. If it is set already, the earlier moment counts; it rings at once if the moment has passed.
         *
         * @param nanoTime when to ring, on the clock's own scale
         */
        void ringAt(long nanoTime);

        /**
         * Ends the alarm: it does not ring again, and its thread, if it had one, is gone. Waits for the action if it
         * runs at this moment, unless called by it.
         */
        @Override
        void close();
    }

    /**
     * Returns the clock of the machine. Each alarm has a thread of its own, started when it is set for the first time.
     */
    static AlarmClock system(ThreadFactory threads) {
        return new SystemAlarmClock(threads);
    }

    /** Returns the clock of the machine, with daemon threads. */
    static AlarmClock system() {
        return SystemAlarmClock.DAEMON;
    }
}
