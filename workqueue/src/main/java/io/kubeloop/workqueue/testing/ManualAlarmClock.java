package io.kubeloop.workqueue.testing;

import io.kubeloop.workqueue.AlarmClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A clock that moves only with {@link #advance}, and rings on the thread that moves it: when {@link #advance} returns, all that
 * was due has happened. Thread-safe.
 */
public final class ManualAlarmClock implements AlarmClock {

    // The lock guards the time and the alarms' settings; actions run without it. The thread that advances runs the
    // actions, so two threads
    // that advance at a time may ring for each other.

    private final ReentrantLock lock = new ReentrantLock();

    /** Guarded by lock. */
    private final List<ManualAlarm> set = new ArrayList<>();

    /** Guarded by lock. */
    private long now;

    /** Makes a clock that stands at zero. */
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

    /** Moves the clock forward, stopping at each alarm that is set for a moment on the way, in order of time. */
    public void advance(Duration by) {
        long target = nanoTime() + by.toNanos();
        for (Optional<ManualAlarm> due = next(target); due.isPresent(); due = next(target)) {
            due.get().action.run();
        }
    }

    /** Moves to the next alarm that is due up to the target, and unsets it; if there is none, moves to the target. */
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

        /** Guarded by lock; means something while in set. */
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
