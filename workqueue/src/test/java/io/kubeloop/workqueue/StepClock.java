package io.kubeloop.workqueue;

import java.util.concurrent.locks.ReentrantLock;

/**
 * A clock for one alarm that moves by hand and rings on the thread that moves it: the plainest thing that keeps to the
 * contract, because every step of it is a step that a schedule can be interrupted at. Thread-safe.
 */
final class StepClock implements AlarmClock {

    private final ReentrantLock lock = new ReentrantLock();
    private Runnable action;
    private boolean set;
    private long ringTime;
    private long now;

    @Override
    public long nanoTime() {
        lock.lock();
        try {
            return now;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public Alarm newAlarm(String name, Runnable toDo) {
        action = toDo;
        return new Alarm() {
            @Override
            public void ringAt(long nanoTime) {
                lock.lock();
                try {
                    ringTime = set ? Math.min(ringTime, nanoTime) : nanoTime;
                    set = true;
                } finally {
                    lock.unlock();
                }
            }

            @Override
            public void close() {}
        };
    }

    /** Moves the time on, ringing at each moment on the way for which the alarm is set. */
    void advance(long nanos) {
        long target = nanoTime() + nanos;
        while (stepTo(target)) {
            action.run();
        }
    }

    private boolean stepTo(long target) {
        lock.lock();
        try {
            boolean rings = set && ringTime <= target;
            now = Math.max(now, rings ? ringTime : target);
            set &= !rings;
            return rings;
        } finally {
            lock.unlock();
        }
    }
}
