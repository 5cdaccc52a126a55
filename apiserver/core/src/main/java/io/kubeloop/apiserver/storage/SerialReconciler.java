/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.storage;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Runs the computation of a state that follows from the storage, on the threads that write. One thread computes at a
 * time, and a request is complete when a computation that began after it has ended. Thread-safe.
 */
public final class SerialReconciler {

    /*
     * Invariants, under the lock:
     *   S1  At most one thread is the runner; it alone runs the computation, without the lock.
     *   S2  completed <= requested. A request waits until completed has reached its number, or becomes the runner.
     *   S3  A request of the runner itself comes from a write of its computation; it does not wait, and the runner
     *       computes again.
     */

    private final Runnable computation;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition ended = lock.newCondition();

    @GuardedBy("lock")
    private @Nullable Thread runner;

    @GuardedBy("lock")
    private long requested;

    @GuardedBy("lock")
    private long completed;

    /**
     * Creates a reconciler.
     *
     * @param computation computes the state from the storage; a write that happens meanwhile makes it run again
     */
    public SerialReconciler(Runnable computation) {
        this.computation = computation;
    }

    /**
     * Computes the state of a storage that contains the writes of the caller. Blocks while another thread computes; an
     * interrupt does not end the wait. Inside the computation it returns at once.
     */
    public void reconcile() {
        if (!becomesRunner()) {
            return;
        }
        boolean isComplete = false;
        try {
            for (long number = newest(); !isComplete; number = newest()) {
                computation.run();
                isComplete = complete(number);
            }
        } finally {
            if (!isComplete) {
                stop();
            }
        }
    }

    private boolean becomesRunner() {
        lock.lock();
        try {
            long number = ++requested;
            if (runner == Thread.currentThread()) {
                return false;
            }
            while (runner != null && completed < number) {
                ended.awaitUninterruptibly();
            }
            if (completed >= number) {
                return false;
            }
            runner = Thread.currentThread();
            return true;
        } finally {
            lock.unlock();
        }
    }

    private long newest() {
        lock.lock();
        try {
            return requested;
        } finally {
            lock.unlock();
        }
    }

    /** Notes that the requests up to this one are complete; ends the turn of the runner if there is no later one. */
    private boolean complete(long number) {
        lock.lock();
        try {
            completed = number;
            if (requested == number) {
                runner = null;
            }
            ended.signalAll();
            return runner == null;
        } finally {
            lock.unlock();
        }
    }

    /** The computation has failed: another request tries it. */
    private void stop() {
        lock.lock();
        try {
            runner = null;
            ended.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
