/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.runtime;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** An event that happens once and that threads can await, in real or stepped time. Thread-safe. */
public final class OneShotLatch {

    /* lock guards the waits, and the wake-up: released changes from false to true once, under the lock. */

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private volatile boolean released;

    /** Creates a latch that is not released. */
    public OneShotLatch() {}

    /** Lets all threads pass that wait, now and later. A second call has no effect. */
    public void release() {
        lock.lock();
        try {
            released = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Returns whether the latch is released. */
    public boolean isReleased() {
        return released;
    }

    /**
     * Blocks until the latch is released or the time has passed.
     *
     * @return whether the latch is released
     * @throws InterruptedException if interrupted while waiting
     */
    public boolean await(Scheduler scheduler, Duration atMost) throws InterruptedException {
        return await(scheduler, atMost, new Wait(null));
    }

    /**
     * Waits as {@link #await} does. The scheduler counts this thread as idle meanwhile.
     *
     * @return whether the latch is released
     * @throws InterruptedException if interrupted while waiting
     */
    public boolean awaitIdle(Scheduler scheduler, Duration atMost) throws InterruptedException {
        return await(scheduler, atMost, new Wait(scheduler));
    }

    private boolean await(Scheduler scheduler, Duration atMost, Wait wait) throws InterruptedException {
        if (released || atMost.isZero() || atMost.isNegative()) {
            return released;
        }
        // The end is scheduled before this thread becomes idle, because a simulated clock that moves when all threads
        // are idle must include it.
        Scheduler.Task timeout = scheduler.schedule(atMost, () -> timeUp(wait));
        lock.lock();
        try {
            while (!released && !wait.timeUp) {
                wait.idle();
                changed.await();
            }
            return released;
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

    /** One thread that waits. Guarded by the lock of the latch. */
    private static final class Wait {

        private final @Nullable Scheduler counter;
        private boolean timeUp;
        private boolean isIdle;

        Wait(@Nullable Scheduler counter) {
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
