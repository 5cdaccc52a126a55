package io.kubeloop.transport.memory.storage;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;

/** A timer on one thread of its own, which starts with the first task. */
public final class ThreadTimer implements Timer {

    // Thread-safe. The executor alone does not tell when its thread is gone: it has terminated a moment before.

    private final ScheduledThreadPoolExecutor executor;
    private final List<Thread> started = new CopyOnWriteArrayList<>();

    /** Makes a timer. */
    public ThreadTimer(ThreadFactory threads) {
        executor = new ScheduledThreadPoolExecutor(1, task -> {
            Thread thread = threads.newThread(task);
            started.add(thread);
            return thread;
        });
        executor.setRemoveOnCancelPolicy(true);
        executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    @Override
    public Task schedule(Duration delay, Runnable task) {
        try {
            Future<?> scheduled = executor.schedule(task, TimeUnit.NANOSECONDS.convert(delay), TimeUnit.NANOSECONDS);
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
            for (Thread thread : started) {
                thread.join();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
