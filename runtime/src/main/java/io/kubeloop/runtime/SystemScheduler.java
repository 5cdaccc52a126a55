/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.runtime;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.kubeloop.runtime.collection.IndexedHeap;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** A scheduler on real time: a heap of tasks and one thread, {@code kubeloop-timer}. Thread-safe. */
final class SystemScheduler implements Scheduler {

    /*
     * Invariants, under the lock
     *   S1  Tasks run only on the thread of the scheduler, without the lock, the earliest first.
     *   S2  If the heap is not empty, the thread runs and wakes at the first time or before, or a caller is starting
     *       it. A caller that cannot start it takes its task back.
     *   S3  At most one thread runs. It ends when the scheduler is closed, or after IDLE without a task.
     *   S4  When scheduleAt returns normally, the thread runs or the scheduler is closed. While another caller runs the
     *       thread factory, scheduleAt waits for the outcome, and starts the thread itself if the other caller failed.
     *       Exception to both: if the factory itself calls scheduleAt, that call returns at once, and the call of the
     *       factory decides; after a failure, the next call starts the thread.
     * Tasks and the thread factory are user code, and run without the lock. Any thread may call any method.
     */

    private static final String THREAD_NAME = "kubeloop-timer";

    /** The longest wait of close. Only a task that hangs takes longer, and must not block the caller of close. */
    private static final long CLOSE_NANOS = Duration.ofSeconds(5).toNanos();

    /** The thread ends after this time without a task. */
    private static final long IDLE_NANOS = Duration.ofSeconds(1).toNanos();

    private static final Comparator<Waiting> EARLIEST_FIRST = (one, other) -> {
        int byTime = Long.signum(one.at - other.at);
        return byTime != 0 ? byTime : Long.signum(one.sequence - other.sequence);
    };

    /** The scheduler of the process, which nobody closes. */
    static final Scheduler SHARED = new SystemScheduler(OwnedThreads.daemons(), true);

    private final ThreadFactory threads;
    private final boolean shared;
    private final ReentrantLock lock = new ReentrantLock();

    /** Signaled when the first task, the state of the thread or `closed` has changed. */
    private final Condition changed = lock.newCondition();

    @GuardedBy("lock")
    private final IndexedHeap<Waiting> tasks = new IndexedHeap<>(EARLIEST_FIRST);

    @GuardedBy("lock")
    private long nextSequence;

    /** Whether the thread runs, or a caller is starting it. */
    @GuardedBy("lock")
    private boolean running;

    /** The caller that is starting the thread, or null. */
    @GuardedBy("lock")
    private @Nullable Thread starter;

    /** The last thread that was started; null before the first. */
    @GuardedBy("lock")
    private @Nullable Thread thread;

    @GuardedBy("lock")
    private boolean closed;

    SystemScheduler(ThreadFactory threads, boolean shared) {
        this.threads = threads;
        this.shared = shared;
    }

    /** A task in the heap, or one that was removed from it. */
    private final class Waiting extends IndexedHeap.Node implements Task {

        private final long at;
        private final long sequence;
        private final Runnable body;

        Waiting(long at, long sequence, Runnable body) {
            this.at = at;
            this.sequence = sequence;
            this.body = body;
        }

        @Override
        public void cancel() {
            lock.lock();
            try {
                if (isInHeap()) {
                    tasks.remove(this);
                }
            } finally {
                lock.unlock();
            }
        }
    }

    @Override
    public Instant now() {
        return Instant.now();
    }

    @Override
    public long nanoTime() {
        return System.nanoTime();
    }

    @Override
    public Task scheduleAt(long nanoTime, Runnable task) {
        Waiting added;
        boolean start;
        lock.lock();
        try {
            added = new Waiting(nanoTime, nextSequence++, task);
            if (closed) {
                return added;
            }
            tasks.push(added);
            if (tasks.first() == added) {
                changed.signalAll();
            }
            while (starter != null && starter != Thread.currentThread() && !closed) {
                changed.awaitUninterruptibly();
            }
            start = !running && !closed;
            if (start) {
                running = true;
                starter = Thread.currentThread();
            }
        } finally {
            lock.unlock();
        }
        if (start) {
            start(added);
        }
        return added;
    }

    private void start(Waiting added) {
        Thread started = null;
        try {
            Thread made = threads.newThread(this::run);
            if (made == null) {
                throw new IllegalStateException("the thread factory returned null");
            }
            made.setName(THREAD_NAME);
            made.start();
            started = made;
        } catch (RuntimeException e) {
            throw new IllegalStateException(
                    "Cannot start thread " + THREAD_NAME + ": " + e.getMessage()
                            + "; the task is not scheduled, and the next one tries again",
                    e);
        } finally {
            endStart(started, added);
        }
    }

    /** Publishes the outcome of a start. After a failure, waiting callers and the next call try again. */
    private void endStart(@Nullable Thread started, Waiting added) {
        lock.lock();
        try {
            starter = null;
            if (started == null) {
                running = false;
                if (added.isInHeap()) {
                    tasks.remove(added);
                }
            } else {
                thread = started;
            }
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void run() {
        for (Runnable task = awaitTask(); task != null; task = awaitTask()) {
            UserCallbacks.run(task);
        }
    }

    /** Waits for the time of the first task, and removes it; returns null if the thread should end. */
    private @Nullable Runnable awaitTask() {
        lock.lock();
        try {
            long idleUntil = System.nanoTime() + IDLE_NANOS;
            while (!closed) {
                long until = tasks.isEmpty() ? idleUntil : tasks.first().at;
                long left = until - System.nanoTime();
                if (left > 0) {
                    awaitChange(left);
                } else if (tasks.isEmpty()) {
                    break;
                } else {
                    return tasks.pop().body;
                }
            }
            running = false;
            changed.signalAll();
            return null;
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    @SuppressWarnings("WaitNotInLoop") // the caller loops
    private void awaitChange(long nanos) {
        try {
            changed.awaitNanos(nanos);
        } catch (InterruptedException e) {
            // Only close ends this thread; an early wake-up is harmless.
        }
    }

    @Override
    public void close() {
        if (!shared) {
            end();
        }
    }

    private void end() {
        Thread last;
        long deadline = System.nanoTime() + CLOSE_NANOS;
        lock.lock();
        try {
            closed = true;
            while (!tasks.isEmpty()) {
                tasks.pop();
            }
            changed.signalAll();
            if (thread == Thread.currentThread()) {
                return;
            }
            while (running && deadline - System.nanoTime() > 0) {
                changed.awaitNanos(deadline - System.nanoTime());
            }
            last = running ? null : thread;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return;
        } finally {
            lock.unlock();
        }
        if (last != null) {
            OwnedThreads.joinUninterrupted(last, deadline);
        }
    }
}
