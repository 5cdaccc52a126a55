/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.runtime;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** An event that happens once and that threads can await, in real or stepped time. Thread-safe. */
public final class OneShotLatch {

    /* Each state changes from false to true once, and then wake() signals under the lock. A thread waits under it. */

    /** Held to wait for a change of the state, and to signal one. */
    private final ReentrantLock lock = new ReentrantLock();

    private final Condition changed;
    private volatile boolean released;

    /** Creates a latch that is not released, for any thread. */
    public OneShotLatch() {
        changed = lock.newCondition();
    }

    /** Creates a latch that is not released, for threads of {@link Scheduler#newThreads}, which are idle in a wait. */
    public OneShotLatch(Scheduler scheduler) {
        changed = scheduler.newCondition(lock);
    }

    /** Lets all threads pass that wait, now and later. A second call has no effect. */
    public void release() {
        released = true;
        wake();
    }

    private void wake() {
        lock.lock();
        try {
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
        if (released || atMost.isZero() || atMost.isNegative()) {
            return released;
        }
        AtomicBoolean timeUp = new AtomicBoolean();
        // The end is scheduled before this thread becomes idle, because a simulated clock that moves when all threads
        // are idle must include it.
        Scheduler.Task timeout = scheduler.schedule(atMost, () -> {
            timeUp.set(true);
            wake();
        });
        lock.lock();
        try {
            while (!released && !timeUp.get()) {
                changed.await();
            }
            return released;
        } finally {
            lock.unlock();
            timeout.cancel();
        }
    }
}
