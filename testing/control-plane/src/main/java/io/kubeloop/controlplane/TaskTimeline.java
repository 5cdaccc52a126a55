/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controlplane;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A time in nanoseconds and the tasks that wait for their time. One thread runs the tasks in the order of their times.
 * Thread-safe.
 */
final class TaskTimeline {

    /*
     * Invariants:
     *   T1  A task is in later, then in due, then runs; a cancelled task is in neither.
     *   T2  A task counts as work from the moment at which it enters due until it has run or was cancelled.
     *
     * Tasks run without the lock. WorkCount's lock is taken under it.
     * Threads: the clock's own thread runs tasks; any thread schedules, cancels and moves the time.
     */

    private static final System.Logger LOG = System.getLogger(TaskTimeline.class.getName());

    /** The longest wait for the end of the thread: tasks are short. */
    private static final long END_MILLIS = 5_000;

    private final WorkCount work;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    @GuardedBy("lock")
    private final PriorityQueue<Task> later = new PriorityQueue<>(
            Comparator.comparingLong((Task task) -> task.at).thenComparingLong(task -> task.number));

    @GuardedBy("lock")
    private final ArrayDeque<Task> due = new ArrayDeque<>();

    @GuardedBy("lock")
    private @Nullable Thread thread;

    @GuardedBy("lock")
    private boolean closed;

    @GuardedBy("lock")
    private long count;

    /** Nanoseconds of this time in one of real time; 0 for a frozen clock. */
    @GuardedBy("lock")
    private double pace;

    /** The time at the last change of the pace, plus the moves since, and when that change was in real time. */
    @GuardedBy("lock")
    private long moved;

    @GuardedBy("lock")
    private long paced = System.nanoTime();

    /** A task with its time. */
    final class Task {

        private final long at;
        private final long number;
        private final Runnable body;
        private final boolean isRetry;

        private Task(long at, long number, Runnable body, boolean isRetry) {
            this.at = at;
            this.number = number;
            this.body = body;
            this.isRetry = isRetry;
        }

        /** Prevents the task from running, unless it runs already. */
        void cancel() {
            lock.lock();
            try {
                if (!later.remove(this) && due.remove(this)) {
                    work.end(WorkCount.TIMERS);
                }
            } finally {
                lock.unlock();
            }
        }
    }

    TaskTimeline(boolean running, WorkCount work) {
        this.pace = running ? 1 : 0;
        this.work = work;
    }

    long nanoTime() {
        lock.lock();
        try {
            return now();
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private long now() {
        return pace == 0 ? moved : moved + (long) ((System.nanoTime() - paced) * pace);
    }

    /**
     * Runs a task once, after the delay. After {@link #close} tasks are dropped.
     *
     * @param isRetry whether a wait for quiet includes the task if it is due soon
     */
    Task schedule(Duration delay, Runnable body, boolean isRetry) {
        return scheduleAt(nanoTime() + Math.max(0, TimeUnit.NANOSECONDS.convert(delay)), body, isRetry);
    }

    Task scheduleAt(long nanoTime, Runnable body, boolean isRetry) {
        Task task;
        Thread starting = null;
        lock.lock();
        try {
            // A delay that overflows is beyond the end of all time.
            task = new Task(nanoTime < 0 ? Long.MAX_VALUE : nanoTime, count++, body, isRetry);
            if (!closed) {
                later.add(task);
                moveDue();
                if (thread == null) {
                    starting = new Thread(this::runTasks, "kubeloop-clock");
                    starting.setDaemon(true);
                    thread = starting;
                }
                changed.signalAll();
            }
        } finally {
            lock.unlock();
        }
        if (starting != null) {
            starting.start();
        }
        return task;
    }

    /** Sets how fast the time runs from now on; see {@link SimulatedClock#setPace}. */
    void setPace(double speed) {
        lock.lock();
        try {
            moved = now();
            paced = System.nanoTime();
            pace = speed;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private void moveDue() {
        long now = now();
        for (Task next = later.peek(); next != null && next.at <= now; next = later.peek()) {
            later.remove();
            due.add(next);
            work.begin(WorkCount.TIMERS);
        }
    }

    /**
     * Moves the time to that of the next task, at most to the target.
     *
     * @return whether there was a task; otherwise the time is now the target
     */
    boolean moveToNext(long target) {
        lock.lock();
        try {
            Task next = later.peek();
            boolean found = next != null && next.at <= target;
            moveTo(found && next != null ? next.at : target);
            return found;
        } finally {
            lock.unlock();
        }
    }

    /** Moves the time in one step, past the times of tasks. */
    void jump(long nanos) {
        lock.lock();
        try {
            moveTo(now() + nanos);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Moves the time to that of the next retry, if it is before the limit. Tasks of other kinds that are due by then
     * run as well.
     *
     * @return whether there was one
     */
    boolean moveToNextRetry(long limit) {
        lock.lock();
        try {
            long first = limit;
            for (Task task : later) {
                first = task.isRetry ? Math.min(first, task.at) : first;
            }
            if (first < limit) {
                moveTo(first);
            }
            return first < limit;
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private void moveTo(long nanoTime) {
        moved += Math.max(0, nanoTime - now());
        moveDue();
        changed.signalAll();
    }

    private void runTasks() {
        for (Task task = take(); task != null; task = take()) {
            try {
                task.body.run();
            } catch (RuntimeException | Error e) {
                LOG.log(System.Logger.Level.WARNING, "A timer task failed", e);
            } finally {
                ended();
            }
        }
    }

    private @Nullable Task take() {
        lock.lock();
        try {
            while (!closed) {
                moveDue();
                Task task = due.poll();
                if (task != null) {
                    return task;
                }
                awaitNext();
            }
            return null;
        } catch (InterruptedException e) {
            return null; // only the JVM's end interrupts this thread
        } finally {
            lock.unlock();
        }
    }

    @SuppressWarnings("WaitNotInLoop") // the caller loops
    @GuardedBy("lock")
    private void awaitNext() throws InterruptedException {
        Task next = later.peek();
        if (pace == 0 || next == null) {
            changed.await();
        } else if (changed.awaitNanos((long) Math.ceil((next.at - now()) / pace)) <= 0) {
            moveDue();
        }
    }

    private void ended() {
        lock.lock();
        try {
            work.end(WorkCount.TIMERS);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Drops all tasks and waits until the thread has ended, unless this thread calls it. An interrupt ends the wait and
     * stays set.
     */
    void close() {
        Thread ending = end();
        if (ending != null && ending != Thread.currentThread()) {
            try {
                ending.join(END_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private @Nullable Thread end() {
        lock.lock();
        try {
            closed = true;
            later.clear();
            due.forEach(task -> work.end(WorkCount.TIMERS));
            due.clear();
            changed.signalAll();
            return thread;
        } finally {
            lock.unlock();
        }
    }
}
