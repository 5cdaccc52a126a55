package io.kubeloop.runtime;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;

/** Scheduler on real time. Thread-safe. All tasks run on one thread, {@code kubeloop-timer}, which the first task starts. */
final class SystemScheduler implements Scheduler {

    /** The longest wait for a running task. Tasks are short, so one that takes longer is faulty. */
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(1);

    private final OwnedThreads threads;
    private final ScheduledThreadPoolExecutor executor;

    /** Makes a scheduler without any task; the thread comes from the factory. */
    SystemScheduler(ThreadFactory factory) {
        threads = new OwnedThreads(factory, OwnedThreads.newFamily());
        executor = new ScheduledThreadPoolExecutor(1, body -> threads.adopt("kubeloop-timer", body));
        executor.setRemoveOnCancelPolicy(true);
        executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        // A task that comes after close() belongs to an informer that is being closed as well. It is dropped.
        executor.setRejectedExecutionHandler((task, from) -> {});
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
    public Task schedule(Duration delay, Runnable task) {
        Future<?> future = executor.schedule(task, Durations.nanos(delay), TimeUnit.NANOSECONDS);
        return () -> future.cancel(false);
    }

    @Override
    public void close() {
        executor.shutdownNow();
        threads.await(CLOSE_TIMEOUT, late -> {});
    }
}
