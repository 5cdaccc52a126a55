/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.cache.runtime;

import io.kubeloop.runtime.OwnedThreads;
import io.kubeloop.runtime.Scheduler;
import io.kubeloop.runtime.UserCallbacks;
import java.time.Instant;
import java.util.Set;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A scheduler of a user, whose {@link Scheduler.Task#cancel} never throws. Thread-safe.
 *
 * <p>A scheduler is user code. A thread cancels a timeout while it cleans up, often in a {@code finally} block: an
 * exception there would end the thread or hide the first error. {@link #schedule} may still throw; each caller has its
 * own answer to that.
 */
public final class SafeScheduler implements Scheduler {

    private static final Logger LOG = LoggerFactory.getLogger(SafeScheduler.class);

    private final Scheduler scheduler;

    private final boolean counts;

    private SafeScheduler(Scheduler scheduler, boolean counts) {
        this.scheduler = scheduler;
        this.counts = counts;
    }

    /** Wraps the scheduler, unless that has been done. */
    public static Scheduler of(Scheduler scheduler) {
        return scheduler instanceof SafeScheduler ? scheduler : new SafeScheduler(scheduler, true);
    }

    /** Wraps the scheduler for threads of the caller, which it does not count as busy. */
    public static Scheduler uncounted(Scheduler scheduler) {
        return new SafeScheduler(scheduler, false);
    }

    @Override
    public Instant now() {
        return scheduler.now();
    }

    @Override
    public long nanoTime() {
        return scheduler.nanoTime();
    }

    @Override
    public Task scheduleAt(long nanoTime, Runnable task) {
        Task scheduled = scheduler.scheduleAt(nanoTime, task);
        return () -> cancel(scheduled);
    }

    private static void cancel(Task task) {
        try {
            task.cancel();
        } catch (Throwable e) {
            UserCallbacks.run(() -> LOG.warn("Cannot cancel a timer; it may still fire, without effect", e));
        }
    }

    @Override
    public OwnedThreads newThreads(ThreadFactory factory, Set<Thread> family) {
        return counts ? scheduler.newThreads(factory, family) : new OwnedThreads(factory, family);
    }

    @Override
    public Condition newCondition(Lock lock) {
        return counts ? scheduler.newCondition(lock) : lock.newCondition();
    }

    @Override
    public <R extends @Nullable Object> Supplier<R> blocking(Supplier<R> call) {
        return counts ? scheduler.blocking(call) : call;
    }

    @Override
    public void close() {
        scheduler.close();
    }
}
