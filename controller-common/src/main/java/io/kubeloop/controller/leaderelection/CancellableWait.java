/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.leaderelection;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.kubeloop.runtime.Scheduler;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/** The waits of the elector's thread: until a time, until a condition holds, or until it is cancelled. Thread-safe. */
final class CancellableWait {

    /*
     * Invariant: the waiting thread reads the number of wakes before it checks its condition, and then waits for a
     * further wake. So no wake is missed between the check and the wait.
     * One lock, held only to count and to wait. The scheduler and the elector's conditions are called without it,
     * because they may run user code. wake runs on the scheduler's thread, on those of attempts and on the guarded
     * work's thread; cancel on any.
     */

    private final Scheduler scheduler;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition woken;

    @GuardedBy("lock")
    private long wakes;

    private volatile boolean cancelled;

    CancellableWait(Scheduler scheduler) {
        this.scheduler = scheduler;
        woken = scheduler.newCondition(lock);
    }

    /** Waits until the time has come; returns false if cancelled before. Blocks; an interrupt does not end the wait. */
    boolean awaitUntil(long deadline) {
        awaitDone(deadline, this::isCancelled);
        return !isCancelled();
    }

    /**
     * Waits until the condition holds or the time has come, and returns whether the condition holds. The code that
     * makes it hold must call {@link #wake}. Blocks; an interrupt does not end the wait.
     */
    boolean awaitDone(long deadline, BooleanSupplier done) {
        Scheduler.Task wakesUp = scheduler.scheduleAt(deadline, this::wake);
        try {
            while (true) {
                long before = wakes();
                if (done.getAsBoolean() || scheduler.nanoTime() - deadline >= 0) {
                    return done.getAsBoolean();
                }
                awaitWakeAfter(before);
            }
        } finally {
            wakesUp.cancel();
        }
    }

    private long wakes() {
        lock.lock();
        try {
            return wakes;
        } finally {
            lock.unlock();
        }
    }

    private void awaitWakeAfter(long before) {
        lock.lock();
        try {
            while (wakes == before) {
                woken.awaitUninterruptibly();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Makes the waiting thread check its condition again. */
    void wake() {
        lock.lock();
        try {
            wakes++;
            woken.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Ends the current wait and all later ones. */
    void cancel() {
        cancelled = true;
        wake();
    }

    boolean isCancelled() {
        return cancelled;
    }
}
