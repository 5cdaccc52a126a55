package io.kubeloop.cache.runtime;

import io.kubeloop.cache.Timers;
import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** An event that happens once and that threads can await, in real or stepped time. Thread-safe. */
public final class Signal {

    /* lock guards the waits, and the wake-up: fired changes from false to true once, under the lock. */

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
        return await(timers, atMost, new Wait(null));
    }

    /** Waits as {@link #await} does. The timers count this thread as idle meanwhile. */
    public boolean awaitIdle(Timers timers, Duration atMost) throws InterruptedException {
        return await(timers, atMost, new Wait(timers));
    }

    private boolean await(Timers timers, Duration atMost, Wait wait) throws InterruptedException {
        if (fired || atMost.isZero() || atMost.isNegative()) {
            return fired;
        }
        // The end is scheduled before this thread is idle: a clock that moves when all threads are idle must know it.
        Timers.Timeout timeout = timers.schedule(atMost, () -> timeUp(wait));
        lock.lock();
        try {
            while (!fired && !wait.timeUp) {
                wait.idle();
                changed.await();
            }
            return fired;
        } finally {
            wait.busy();
            lock.unlock();
            timeout.cancel();
        }
    }

    private void timeUp(Wait wait) {
        lock.lock();
        try {
            wait.timeUp = true;
            wait.busy(); // before the timer's task ends, so that the count has no gap
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** One thread that waits. Guarded by the lock of the signal. */
    private static final class Wait {

        private final @Nullable Timers counter;
        private boolean timeUp;
        private boolean isIdle;

        Wait(@Nullable Timers counter) {
            this.counter = counter;
        }

        void idle() {
            if (counter != null && !isIdle) {
                isIdle = true;
                counter.workEnds();
            }
        }

        void busy() {
            if (counter != null && isIdle) {
                isIdle = false;
                counter.workBegins();
            }
        }
    }
}
