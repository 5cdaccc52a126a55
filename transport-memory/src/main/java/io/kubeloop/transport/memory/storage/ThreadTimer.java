package io.kubeloop.transport.memory.storage;

import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;

/** A timer on one thread of its own, which starts with the first task. */
public final class ThreadTimer implements Timer {

    private final ScheduledThreadPoolExecutor executor;

    /** Makes a timer. */
    public ThreadTimer(ThreadFactory threads) {
        executor = new ScheduledThreadPoolExecutor(1, threads);
        executor.setRemoveOnCancelPolicy(true);
        executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    @Override
    public Task schedule(Duration delay, Runnable task) {
        try {
            Future<?> scheduled = executor.schedule(task, delay.toNanos(), TimeUnit.NANOSECONDS);
            return () -> scheduled.cancel(false);
        } catch (RejectedExecutionException e) {
            return () -> {}; // closed: the task is dropped, as promised
        }
    }

    /** Blocks until the thread is gone, which the shortness of tasks keeps short. */
    @Override
    public void close() {
        executor.shutdownNow();
        try {
            executor.awaitTermination(Long.MAX_VALUE, TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
