package io.kubeloop.app;

import io.kubeloop.cache.Timers;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Timers whose time the test advances; tasks run on the thread that advances it. Thread-safe. */
final class ProbeTimers implements Timers {

    private record Task(long at, Runnable body) {}

    /** Guarded by this. */
    private final List<Task> tasks = new ArrayList<>();

    /** Guarded by this. */
    private long now;

    @Override
    public Instant now() {
        return Instant.EPOCH.plusNanos(nanoTime());
    }

    @Override
    public synchronized long nanoTime() {
        return now;
    }

    @Override
    public synchronized Timeout schedule(Duration delay, Runnable body) {
        Task task = new Task(now + delay.toNanos(), body);
        tasks.add(task);
        return () -> {
            synchronized (this) {
                tasks.remove(task);
            }
        };
    }

    void advance(Duration by) {
        long target = nanoTime() + by.toNanos();
        for (Task task = next(target); task != null; task = next(target)) {
            task.body().run();
        }
    }

    private synchronized Task next(long target) {
        Task first = tasks.stream()
                .min(Comparator.comparingLong(Task::at))
                .filter(task -> task.at() <= target)
                .orElse(null);
        now = Math.max(now, first == null ? target : first.at());
        tasks.remove(first);
        return first;
    }

    /** Returns whether somebody waits for time to pass. */
    synchronized boolean areWaitedFor() {
        return !tasks.isEmpty();
    }

    @Override
    public void close() {}
}
