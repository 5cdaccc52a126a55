package io.kubeloop.controller;

import io.kubeloop.controller.threads.TrackedThreads;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Threads for writes made side by side: at most so many, and none after a while without work. Thread-safe.
 */
public final class ParallelExecutor implements Executor, AutoCloseable {

    private static final Duration KEEP_ALIVE = Duration.ofSeconds(10);

    private final TrackedThreads threads;
    private final ThreadPoolExecutor pool;

    /**
     * Makes an executor without threads; they come with the work.
     *
     * @param name whose they are: the threads are named {@code kubeloop-writer-<name>-<number>}
     * @param maxThreads how many there are at most, at least 1
     */
    public ParallelExecutor(String name, int maxThreads, ThreadFactory threads) {
        TrackedThreads tracked = new TrackedThreads(threads);
        this.threads = tracked;
        AtomicInteger number = new AtomicInteger();
        pool = new ThreadPoolExecutor(
                maxThreads,
                maxThreads,
                KEEP_ALIVE.toMillis(),
                TimeUnit.MILLISECONDS,
                new LinkedBlockingQueue<>(),
                task -> {
                    Thread thread = tracked.newThread(task);
                    thread.setName("kubeloop-writer-" + name + "-" + number.incrementAndGet());
                    return thread;
                });
        pool.allowCoreThreadTimeOut(true);
    }

    @Override
    public void execute(Runnable task) {
        pool.execute(task);
    }

    /**
     * Takes no more tasks, and waits for those it has (their callers wait for them anyway) and until the threads are gone.
     *
     * @return false if the time ran out, or the caller was interrupted: the interrupt flag is then set
     */
    public boolean close(Duration timeout) {
        pool.shutdown();
        try {
            return pool.awaitTermination(TimeUnit.NANOSECONDS.convert(timeout), TimeUnit.NANOSECONDS)
                    && threads.join(timeout);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Takes no more tasks, and does not wait. */
    @Override
    public void close() {
        pool.shutdown();
    }
}
