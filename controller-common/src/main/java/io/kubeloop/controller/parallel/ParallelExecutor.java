/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.parallel;

import io.kubeloop.runtime.Durations;
import io.kubeloop.runtime.OwnedThreads;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A bounded thread pool for parallel writes; its threads end after 10 s without work. Thread-safe. {@link
 * #close(Duration)} blocks; {@link #execute} and {@link #close()} do not.
 */
public final class ParallelExecutor implements Executor, AutoCloseable {

    private static final Duration KEEP_ALIVE = Duration.ofSeconds(10);

    private final OwnedThreads threads;
    private final ThreadPoolExecutor pool;

    /**
     * Creates an executor; threads start when tasks arrive.
     *
     * @param name the owner of the threads, which are named {@code kubeloop-writer-<name>-<number>}
     * @param maxThreads the largest number of threads, at least 1
     * @param threads makes the threads
     */
    public ParallelExecutor(String name, int maxThreads, ThreadFactory threads) {
        OwnedThreads tracked = new OwnedThreads(threads);
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
     * Accepts no more tasks and blocks until the present ones are done and the threads have ended.
     *
     * @param timeout the longest wait
     *
     * @return false if the time passed first, or if the caller was interrupted; an interrupt ends the wait and stays
     *     set
     */
    public boolean close(Duration timeout) {
        pool.shutdown();
        long nanos = Durations.nanos(timeout);
        long deadline = System.nanoTime() + nanos;
        try {
            return pool.awaitTermination(nanos, TimeUnit.NANOSECONDS)
                    && threads.await(Duration.ofNanos(deadline - System.nanoTime()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Accepts no more tasks and returns at once. */
    @Override
    public void close() {
        pool.shutdown();
    }
}
