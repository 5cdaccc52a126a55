/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.runtime.testing;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.kubeloop.runtime.Scheduler;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** A scheduler whose time a test advances; tasks run on the thread that advances it. Thread-safe. */
public final class ManualScheduler implements Scheduler {

    private record Entry(long at, long number, Runnable body) {}

    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final PriorityQueue<Entry> tasks =
            new PriorityQueue<>(Comparator.comparingLong(Entry::at).thenComparingLong(Entry::number));

    @GuardedBy("lock")
    private long now;

    @GuardedBy("lock")
    private long scheduled;

    private volatile Runnable afterSchedule = () -> {};

    /** Creates a scheduler whose time is 1970-01-01T00:00:00Z. */
    public ManualScheduler() {}

    @Override
    public Instant now() {
        return Instant.EPOCH.plusNanos(nanoTime());
    }

    @Override
    public long nanoTime() {
        lock.lock();
        try {
            return now;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public Task scheduleAt(long nanoTime, Runnable task) {
        Entry added = add(nanoTime, task);
        Runnable once = afterSchedule;
        afterSchedule = () -> {};
        once.run();
        return () -> {
            lock.lock();
            try {
                tasks.remove(added);
            } finally {
                lock.unlock();
            }
        };
    }

    private Entry add(long at, Runnable task) {
        lock.lock();
        try {
            Entry added = new Entry(Math.max(now, at), scheduled++, task);
            tasks.add(added);
            return added;
        } finally {
            lock.unlock();
        }
    }

    /** Runs this once, after the next task has been set and before schedule() returns. */
    public void afterSchedule(Runnable what) {
        afterSchedule = what;
    }

    /** Advances the time, and runs each due task at its own time. */
    public void advance(Duration by) {
        long target = nanoTime() + by.toNanos();
        for (Entry task = next(target); task != null; task = next(target)) {
            task.body().run();
        }
    }

    /** Advances the time in one step, as upstream's fake clock does: due tasks run after the step. */
    public void jump(Duration by) {
        long target = nanoTime() + by.toNanos();
        Entry due = next(target);
        lock.lock();
        try {
            now = target;
        } finally {
            lock.unlock();
        }
        for (Entry task = due; task != null; task = next(target)) {
            task.body().run();
        }
    }

    private @Nullable Entry next(long target) {
        lock.lock();
        try {
            Entry first = tasks.peek();
            if (first == null || first.at() > target) {
                now = target;
                return null;
            }
            now = Math.max(now, first.at());
            return tasks.remove();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Returns an action that runs the next task before its time, unless it has been cancelled; null if no task waits.
     */
    public @Nullable Runnable first() {
        lock.lock();
        try {
            Entry first = tasks.peek();
            return first == null ? null : () -> runEarly(first);
        } finally {
            lock.unlock();
        }
    }

    private void runEarly(Entry task) {
        lock.lock();
        try {
            if (!tasks.remove(task)) {
                return;
            }
        } finally {
            lock.unlock();
        }
        task.body().run();
    }

    /** Returns whether a task falls due within this time. */
    public boolean isDueWithin(Duration time) {
        lock.lock();
        try {
            Entry first = tasks.peek();
            return first != null && first.at() - now <= time.toNanos();
        } finally {
            lock.unlock();
        }
    }

    /** Returns the number of waiting tasks. */
    public int waiting() {
        lock.lock();
        try {
            return tasks.size();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {}
}
