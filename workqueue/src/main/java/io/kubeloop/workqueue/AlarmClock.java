package io.kubeloop.workqueue;

import io.kubeloop.workqueue.runtime.SystemAlarmClock;
import java.util.concurrent.ThreadFactory;

/**
 * A monotonic clock with alarms, from which a queue gets its time (upstream: {@code clock.WithTicker} of {@code k8s.io/utils}).
 *
 * <p>Every delay of this module uses it. With a clock that a test controls, every due item has moved when the test's call
 * returns. Implementations must be thread-safe. {@link Alarm#close} blocks; {@link Alarm#ringAt} can wait for a thread factory.
 */
public interface AlarmClock {

    /** Returns the time in nanoseconds since an arbitrary fixed moment; only differences are meaningful. */
    long nanoTime();

    /**
     * Creates an alarm that is not set.
     *
     * @param name the name of the alarm's thread, if it has its own
     * @param action the action of a ring; must be quick, and runs at most once at a time
     */
    Alarm newAlarm(String name, Runnable action);

    /**
     * Counts a unit of work that begins: a queued item, or an event that is to be written. The thread that adds the item calls
     * this method before its own work ends, so the count is zero only when nothing is under way. Must be thread-safe and must not
     * block. Default: does nothing.
     */
    default void workBegins() {}

    /** Counts the end of a unit of work; see {@link #workBegins}. Default: does nothing. */
    default void workEnds() {}

    /** An alarm that runs its action once after each setting. Thread-safe. */
    interface Alarm extends AutoCloseable {

        /**
         * Sets the alarm. If it is already set, the earlier time counts. If the time has passed, it rings at once.
         *
         * <p>With the system clock, the first call runs the thread factory and starts the thread. A concurrent call waits until
         * the factory returns; an interrupt does not end that wait.
         *
         * @param nanoTime the time of the ring, on the scale of {@link #nanoTime}
         * @throws IllegalStateException if the alarm needs a thread and the thread factory throws
         */
        void ringAt(long nanoTime);

        /**
         * Ends the alarm; it does not ring again. Blocks until a running action and the alarm's thread, if any, have ended,
         * unless the action itself calls this method. With the system clock it waits at most 5 s. An interrupt ends the wait and
         * stays set; the thread then ends after its action.
         */
        @Override
        void close();
    }

    /** Returns the system clock. Each alarm has its own thread, which starts when the alarm is first set. */
    static AlarmClock system(ThreadFactory threads) {
        return new SystemAlarmClock(threads);
    }

    /** Returns the system clock with daemon threads. */
    static AlarmClock system() {
        return SystemAlarmClock.DAEMON;
    }
}
