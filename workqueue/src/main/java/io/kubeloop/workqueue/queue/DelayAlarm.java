package io.kubeloop.workqueue.queue;

import io.kubeloop.workqueue.AlarmClock;
import java.time.Duration;

/**
 * The time and the alarm of a queue with delayed items. Thread-safe.
 *
 * <p>The queue owns the delayed items and their lock. It must not hold a lock when it sets or closes the alarm: both run
 * the thread factory or wait.
 */
final class DelayAlarm {

    // Invariant: `unset` is true from a failed setting until a later one succeeds. While it is true, the next add,
    // addAfter or get of the queue sets the alarm again, so the item does not wait for another delayed item.

    /** About 146 years. Times that are at most this far apart can be compared by difference without overflow. */
    private static final long LONGEST_NANOS = Long.MAX_VALUE / 2;

    /**
     * The delay after which the alarm tries again to move an item that could not be moved. Without it the alarm's
     * thread would spin.
     */
    static final long RETRY_NANOS = Duration.ofSeconds(1).toNanos();

    private static final Duration LONGEST = Duration.ofNanos(LONGEST_NANOS);

    private final AlarmClock clock;
    private final AlarmClock.Alarm alarm;
    private volatile boolean unset;

    DelayAlarm(AlarmClock clock, String queue, Runnable action) {
        this.clock = clock;
        alarm = clock.newAlarm("kubeloop-delay" + (queue.isEmpty() ? "" : "-" + queue), action);
    }

    /** Returns the delay in nanoseconds: at least 0, and short enough that no clock reading makes it overflow. */
    static long nanos(Duration delay) {
        if (delay.isNegative()) {
            return 0;
        }
        return delay.compareTo(LONGEST) < 0 ? delay.toNanos() : LONGEST_NANOS;
    }

    long nanoTime() {
        return clock.nanoTime();
    }

    /** Sets the alarm. Throws whatever the clock throws, for example because no thread can be started. */
    void ringAt(long nanoTime) {
        boolean set = false;
        try {
            alarm.ringAt(nanoTime);
            set = true;
        } finally {
            if (!set) {
                unset = true;
            } else if (unset) {
                unset = false;
            }
        }
    }

    /** Returns whether the last setting failed. */
    boolean isUnset() {
        return unset;
    }

    /** Runs an action that sets the alarm again after a failure; an error leaves it unset. */
    void retry(Runnable setting) {
        try {
            setting.run();
        } catch (RuntimeException | Error e) {
            // The caller of addAfter got the error; `unset` stays true, so the next call tries again.
        }
    }

    void close() {
        alarm.close();
    }
}
