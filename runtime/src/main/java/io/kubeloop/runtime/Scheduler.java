/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.runtime;

import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The time of a program, and the tasks that run at their time (upstream: {@code clock.WithTickerAndDelayedExecution} of
 * {@code k8s.io/utils/clock}). Everything that waits or measures uses a scheduler, so a test can step through days in
 * milliseconds.
 *
 * <p>Thread-safe. A class that only measures takes {@code scheduler::nanoTime}.
 */
public interface Scheduler extends AutoCloseable {

    /** A task that waits for its time. */
    @FunctionalInterface
    interface Task {

        /** Cancels the task; has no effect if it has begun. Does not wait for a task that runs. */
        void cancel();
    }

    /** Returns the time of day, for timestamps. */
    Instant now();

    /**
     * Returns nanoseconds since an arbitrary origin, for measuring; the value never decreases. Only differences are
     * meaningful.
     */
    long nanoTime();

    /**
     * Runs the task once, when {@link #nanoTime} has reached the time. Tasks share one thread, so they must be short
     * and must not block. Their errors go to the uncaught exception handler of that thread.
     *
     * <p>A scheduler on real time starts its thread with the first task. A concurrent call waits until the thread
     * factory returns; an interrupt does not end that wait.
     *
     * @param nanoTime the time on the scale of {@link #nanoTime}, at most 146 years away; a time that has passed means
     *     now
     * @return cancels the task
     * @throws IllegalStateException if a thread is necessary and the thread factory throws; the task is not scheduled
     */
    Task scheduleAt(long nanoTime, Runnable task);

    /**
     * Runs the task once, when the delay has passed; see {@link #scheduleAt}.
     *
     * @param delay zero or less runs the task as soon as possible; more than 146 years are 146 years
     * @return cancels the task
     */
    default Task schedule(Duration delay, Runnable task) {
        return scheduleAt(nanoTime() + Durations.delayNanos(delay), task);
    }

    /**
     * Runs the task once at about this time. A scheduler may run it up to half of the delay earlier or later, together
     * with other tasks; the default is exact.
     *
     * @return cancels the task
     */
    default Task scheduleAround(Duration delay, Runnable task) {
        return schedule(delay, task);
    }

    /**
     * Returns a counter for the work of a component. Null, the default, means that nobody counts: the component then
     * adds no counting to its work.
     *
     * @param component the component and its name, such as {@code queue endpoint}
     */
    default @Nullable WorkCounter counter(String component) {
        return null;
    }

    /**
     * Returns an empty set of threads for a component whose threads wait only on conditions of {@link #newCondition}
     * and in calls of {@link #blocking}. The default counts nothing. A test kit returns threads that it counts as busy
     * from their start to their end, except while they wait.
     *
     * @param factory makes the threads
     * @param family the threads of all owners of the family, from {@link OwnedThreads#newFamily}
     */
    default OwnedThreads newThreads(ThreadFactory factory, Set<Thread> family) {
        return new OwnedThreads(factory, family);
    }

    /**
     * Returns a condition of the lock, on which the threads of {@link #newThreads} wait for work. The default counts
     * nothing. The condition of a test kit counts a waiting thread as busy from the signal on, before the signaling
     * thread becomes idle itself, so the count is zero only when nothing is under way.
     */
    default Condition newCondition(Lock lock) {
        return lock.newCondition();
    }

    /**
     * Returns a call in which a thread of {@link #newThreads} waits for work from outside, such as the next event of a
     * watch. The default returns the call itself. A test kit counts the thread as idle during the call.
     */
    default <R extends @Nullable Object> Supplier<R> blocking(Supplier<R> call) {
        return call;
    }

    /**
     * Drops all tasks and ends the thread. Safe to call twice. A scheduler on real time waits at most five seconds for
     * a running task; an interrupt ends that wait, and the interrupt flag stays set.
     */
    @Override
    void close();

    /** Returns a scheduler on real time, with one thread from the factory. The caller must close it. */
    static Scheduler system(ThreadFactory threads) {
        return new SystemScheduler(threads, false);
    }

    /**
     * Returns the scheduler of this process on real time. Its daemon thread ends a second after the last task. It
     * cannot be closed. Within a {@link SchedulerScope}, as in a test with a test kit, returns the scheduler of the
     * scope.
     */
    static Scheduler system() {
        Scheduler scoped = SchedulerScope.current();
        return scoped == null ? SystemScheduler.SHARED : scoped;
    }
}
