package io.kubeloop.workqueue;

import io.kubeloop.workqueue.runtime.SystemAlarmClock;
import java.util.concurrent.ThreadFactory;

/**
 * A monotonic clock with alarms: the time of a queue (upstream: {@code clock.WithTicker} of
 * {@code k8s.io/utils}).
 *
 * <p>Every delay of this module goes through it, so a test can advance the time and see the effect before the call
 * returns. Implementations must be thread-safe. Only {@link Alarm#close} blocks.
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
         * Ends the alarm: it does not ring again. Blocks until a running action and the alarm's thread, if it has one,
         * have ended, unless the action itself calls this method. The system clock waits 5 s at most. An interrupt ends
         * the wait and stays set; the thread then ends after its action.
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
