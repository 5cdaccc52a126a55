package io.kubeloop.cache.runtime;

import io.kubeloop.cache.Timers;
import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** An event that happens once and that threads can await, in real or stepped time. Thread-safe. */
public final class Signal {

    /* lock guards the wake-up only: fired changes from false to true once, under the lock. */

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

    /**
     * Blocks until the signal is fired or the time has passed. Returns whether the signal is fired. Throws
     * {@link InterruptedException} if the thread is interrupted while it waits.
     */
    public boolean await(Timers timers, Duration atMost) throws InterruptedException {
        return await(timers, atMost, () -> {});
    }

    /**
     * Waits as {@link #await(Timers, Duration)} does.
     *
     * @param onTimeUp runs when the time has passed, before this thread wakes up
     */
    public boolean await(Timers timers, Duration atMost, Runnable onTimeUp) throws InterruptedException {
        if (fired || atMost.isZero() || atMost.isNegative()) {
            return fired;
        }
        Signal timeUp = new Signal();
        Timers.Timeout timeout = timers.schedule(atMost, () -> {
            onTimeUp.run();
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
