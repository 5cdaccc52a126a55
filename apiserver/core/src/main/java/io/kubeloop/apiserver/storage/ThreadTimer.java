package io.kubeloop.apiserver.storage;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;

/** A timer with one thread, which starts with the first task. Thread-safe. */
public final class ThreadTimer implements Timer {

    // The executor terminates slightly before its thread ends, so close() joins the threads themselves.

    private final ScheduledThreadPoolExecutor executor;
    private final List<Thread> started = new CopyOnWriteArrayList<>();

    /** Creates a timer. */
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
            return () -> {}; // the timer is closed: the task is dropped, as documented
        }
    }

    /**
     * Drops all tasks that have not started. Blocks until the thread has ended, which takes as long as the task
     * that runs; tasks are short. An interrupt ends the wait, and the interrupt flag stays set.
     */
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
