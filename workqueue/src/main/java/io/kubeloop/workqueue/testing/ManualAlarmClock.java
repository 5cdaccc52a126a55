package io.kubeloop.workqueue.testing;

import io.kubeloop.workqueue.AlarmClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A clock that a test advances by hand. {@link #advance} runs due alarms on the calling thread, so every due action has finished
 * when it returns. Thread-safe.
 */
public final class ManualAlarmClock implements AlarmClock {

    // The lock guards the time and the settings of the alarms; actions run without it. The thread that advances runs
    // the actions, so two threads that advance at the same time may run actions that are due for each other.

    private final ReentrantLock lock = new ReentrantLock();

    /** Guarded by lock. */
    private final List<ManualAlarm> set = new ArrayList<>();

    /** Guarded by lock. */
    private long now;

    /** Creates a clock at time zero. */
    public ManualAlarmClock() {}

    @Override
    public long nanoTime() {
        lock.lock();
        try {
            return now;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Advances the clock, and runs the alarms that become due, in the order of their times. During an alarm's action the clock
     * shows the alarm's time. Blocks until the actions have returned.
     */
    public void advance(Duration by) {
        long target = nanoTime() + by.toNanos();
        for (Optional<ManualAlarm> due = next(target); due.isPresent(); due = next(target)) {
            due.get().action.run();
        }
    }

    /** Advances to the next alarm that is due by the target, and unsets it. Without such an alarm, advances to the target. */
    private Optional<ManualAlarm> next(long target) {
        lock.lock();
        try {
            Optional<ManualAlarm> first = set.stream()
                    .min(Comparator.comparingLong(alarm -> alarm.ringTime))
                    .filter(alarm -> alarm.ringTime <= target);
            now = Math.max(now, first.map(alarm -> alarm.ringTime).orElse(target));
            first.ifPresent(set::remove);
            return first;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public Alarm newAlarm(String name, Runnable action) {
        return new ManualAlarm(action);
    }

    private final class ManualAlarm implements Alarm {

        private final Runnable action;

        /** Guarded by lock; valid while the alarm is in `set`. */
        private long ringTime;

        /** Guarded by lock. */
        private boolean closed;

        ManualAlarm(Runnable action) {
            this.action = action;
        }

        @Override
        public void ringAt(long nanoTime) {
            lock.lock();
            try {
                if (closed) {
                    return;
                }
                if (!set.contains(this)) {
                    set.add(this);
                    ringTime = nanoTime;
                } else {
                    ringTime = Math.min(ringTime, nanoTime);
                }
            } finally {
                lock.unlock();
            }
        }

        @Override
        public void close() {
            lock.lock();
            try {
                closed = true;
                set.remove(this);
            } finally {
                lock.unlock();
            }
        }
    }
}
