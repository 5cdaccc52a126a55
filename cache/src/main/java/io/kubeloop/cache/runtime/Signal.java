package io.kubeloop.cache.runtime;

import io.kubeloop.cache.Timers;
import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Something that happens once and can be waited for, also in stepped time. Thread-safe. */
public final class Signal {

    /* lock guards nothing but the wake-up: fired only ever goes from false to true, under the lock. */

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private volatile boolean fired;

    public void fire() {
        lock.lock();
        try {
            fired = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    public boolean isFired() {
        return fired;
    }

    /** Waits until the signal has been fired or the time has passed; returns whether it has been fired. */
    public boolean await(Timers timers, Duration atMost) throws InterruptedException {
        if (fired || atMost.isZero() || atMost.isNegative()) {
            return fired;
        }
        Signal timeUp = new Signal();
        Timers.Timeout timeout = timers.schedule(atMost, () -> {
            timeUp.fired = true;
            wake();
        });
        lock.lock();
        try {
            while (!fired && !timeUp.fired) {
                changed.await();
            }
            return fired;
        } finally {
            lock.unlock();
            timeout.cancel();
        }
    }

    private void wake() {
        lock.lock();
        try {
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
