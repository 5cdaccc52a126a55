package io.kubeloop.cache.runtime;

import io.kubeloop.cache.Timers;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;

/** Timers on real time. Thread-safe; tasks run on the thread {@code kubeloop-timer}. */
public final class SystemTimers implements Timers {

    /** Tasks are short: it takes a fault to need this long. */
    private static final long CLOSE_MILLIS = 1000;

    private final Clock clock;
    private final ScheduledThreadPoolExecutor executor;

    /** The one thread; the executor makes it when it first needs it. */
    private final List<Thread> started = new CopyOnWriteArrayList<>();

    public SystemTimers(Clock clock, ThreadFactory threads) {
        this.clock = clock;
        executor = new ScheduledThreadPoolExecutor(1, body -> {
            Thread thread = threads.newThread(body);
            thread.setName("kubeloop-timer");
            started.add(thread);
            return thread;
        });
        executor.setRemoveOnCancelPolicy(true);
        executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        // A task for a closed timer is a task of somebody who is being closed as well.
        executor.setRejectedExecutionHandler((task, from) -> {});
    }

    @Override
    public Instant now() {
        return clock.instant();
    }

    @Override
    public long nanoTime() {
        return System.nanoTime();
    }

    @Override
    public Timeout schedule(Duration delay, Runnable task) {
        Future<?> future = executor.schedule(task, Durations.nanos(delay), TimeUnit.NANOSECONDS);
        return () -> future.cancel(false);
    }

    @Override
    public void close() {
        executor.shutdownNow();
        try {
            for (Thread thread : started) {
                if (thread != Thread.currentThread()) {
                    thread.join(CLOSE_MILLIS);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
