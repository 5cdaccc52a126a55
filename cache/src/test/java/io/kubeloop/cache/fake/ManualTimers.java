package io.kubeloop.cache.fake;

import io.kubeloop.cache.Timers;
import io.kubeloop.cache.runtime.Durations;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.concurrent.locks.ReentrantLock;

/** Timers that a test advances; tasks run on the thread that advances them. Thread-safe. */
public final class ManualTimers implements Timers {

    private record Task(long at, long number, Runnable body) {}

    private final ReentrantLock lock = new ReentrantLock();
    private final PriorityQueue<Task> tasks =
            new PriorityQueue<>(Comparator.comparingLong(Task::at).thenComparingLong(Task::number));
    private long now;
    private long scheduled;
    private volatile Runnable afterSchedule = () -> {};

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
    public Timeout schedule(Duration delay, Runnable task) {
        Task added = add(delay, task);
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

    private Task add(Duration delay, Runnable task) {
        lock.lock();
        try {
            long wait = Math.max(0, Durations.nanos(delay));
            Task added = new Task(wait < Long.MAX_VALUE - now ? now + wait : Long.MAX_VALUE, scheduled++, task);
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
        for (Task task = next(target); task != null; task = next(target)) {
            task.body().run();
        }
    }

    /** Advances the time in one step, as upstream's fake clock does: due tasks run after the step. */
    public void jump(Duration by) {
        long target = nanoTime() + by.toNanos();
        Task due = next(target);
        lock.lock();
        try {
            now = target;
        } finally {
            lock.unlock();
        }
        for (Task task = due; task != null; task = next(target)) {
            task.body().run();
        }
    }

    private Task next(long target) {
        lock.lock();
        try {
            Task first = tasks.peek();
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
    public Runnable first() {
        lock.lock();
        try {
            Task first = tasks.peek();
            return first == null ? null : () -> runEarly(first);
        } finally {
            lock.unlock();
        }
    }

    private void runEarly(Task task) {
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
            Task first = tasks.peek();
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
