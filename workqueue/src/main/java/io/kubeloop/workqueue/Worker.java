/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.workqueue;

import io.kubeloop.runtime.SchedulerScope;
import io.kubeloop.runtime.UserCallbacks;
import io.kubeloop.workqueue.queue.FailedSync;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The threads that process a queue's items (upstream: {@code runWorker} and {@code processNextWorkItem}, which each
 * controller implements itself). Thread-safe.
 *
 * <p>The worker calls {@link WorkQueue#done} after every item, {@link RateLimitingQueue#retry} after a failure, and
 * {@link RateLimitingQueue#forget} after success or after the last retry. An exception or error of the handler causes a
 * retry of that item; it does not end the thread.
 *
 * <p>The first thread starts at once, each further one when all the others are busy. They end when the queue is shut
 * down and empty. Their names contain the name of the queue. {@link #join}, {@link #stop} and {@link #close} block.
 *
 * @param <T> the type of the items
 */
public final class Worker<T> implements AutoCloseable {

    /*
     * Invariants
     *   W1  Each item that was taken is done exactly once, even if the handler and the listener throw.
     *   W2  A thread ends only if the queue is shut down and empty, if `abandoned` is set, or if get throws. A
     *       QueueOrder that cannot pop will not recover, and a retry would spin. The JVM passes that error to the
     *       thread's uncaught exception handler. Errors of done, for example from an order that refuses the item, go to
     *       the same handler, and the thread continues.
     *   W3  Only stop interrupts the threads, after it has set `abandoned`. Any other interrupt belongs to the current
     *       item, and is cleared before the next item is taken.
     *   W4  While a thread processes an item, another one waits for the next, unless all threads are busy. So a queue
     *       that is idle, as most queues of a manager are, has one thread. A thread is started by one before it in the
     *       list, so join, which waits in the order of the list, misses none.
     * No lock. Handler and listener are user code, and run on the worker's threads.
     */

    private static final System.Logger LOG = System.getLogger(Worker.class.getName());

    /** The time that {@link #close} waits for the threads. */
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(30);

    private final RateLimitingQueue<T> queue;
    private final SyncHandler<? super T> handler;
    private final @Nullable SyncFailureListener<? super T> failureListener;
    private final int maxRetries;
    private final List<Thread> threads;
    private final AtomicInteger started = new AtomicInteger();
    private final AtomicInteger waiting = new AtomicInteger();
    private volatile boolean abandoned;

    private Worker(Builder<T> builder) {
        queue = builder.queue;
        handler = builder.handler;
        failureListener = builder.failureListener;
        maxRetries = builder.maxRetries;
        threads = newThreads(builder.threads, builder.threadFactory);
    }

    private List<Thread> newThreads(int count, ThreadFactory factory) {
        List<Thread> made = new ArrayList<>();
        for (int i = 1; i <= count; i++) {
            Thread thread = factory.newThread(this::run);
            thread.setName("kubeloop-worker-" + (queue.name().isEmpty() ? "" : queue.name() + "-") + i);
            made.add(thread);
        }
        return List.copyOf(made);
    }

    /**
     * Starts threads that process the queue's items. Each failure is retried, and logged in one line. {@link #builder}
     * has more options.
     *
     * @param workers the number of threads; at least 1
     * @param threadFactory creates the threads
     * @param handler syncs an item; called by all threads
     */
    public static <T> Worker<T> start(
            RateLimitingQueue<T> queue, int workers, ThreadFactory threadFactory, SyncHandler<? super T> handler) {
        return builder(queue, handler)
                .threads(workers)
                .threadFactory(threadFactory)
                .start();
    }

    /** Returns a builder of a worker that processes the queue's items. */
    public static <T> Builder<T> builder(RateLimitingQueue<T> queue, SyncHandler<? super T> handler) {
        return new Builder<>(queue, handler);
    }

    private void run() {
        while (processNextWorkItem()) {
            // The condition does the work.
        }
    }

    /** Processes one item; returns false if the thread should end. Blocks until an item is ready. */
    private boolean processNextWorkItem() {
        if (abandoned) {
            return false;
        }
        T item;
        boolean isLastWaiting;
        waiting.incrementAndGet();
        try {
            item = queue.get();
        } catch (InterruptedException e) {
            return !abandoned;
        } finally {
            isLastWaiting = waiting.decrementAndGet() == 0;
        }
        if (item == null) {
            return false;
        }
        try {
            if (isLastWaiting) {
                startNextThread();
            }
            sync(item);
        } finally {
            done(item);
            // An interrupt that the handler left set belongs to this item (W3).
            Thread.interrupted();
        }
        return true;
    }

    /**
     * Starts one more thread if fewer than the configured number run. If that fails, the items wait for the running
     * threads.
     */
    private void startNextThread() {
        int next = started.getAndUpdate(count -> Math.min(count + 1, threads.size()));
        if (next < threads.size()) {
            try {
                threads.get(next).start();
            } catch (Throwable e) { // there is no memory for its stack
                UserCallbacks.report(e);
            }
        }
    }

    private void done(T item) {
        try {
            queue.done(item);
        } catch (Throwable e) {
            UserCallbacks.report(e);
        }
    }

    private void sync(T item) {
        try {
            handler.sync(item);
            queue.forget(item);
        } catch (Throwable e) {
            try {
                retry(item, e);
            } catch (Throwable again) {
                UserCallbacks.report(again);
            }
        }
    }

    private void retry(T item, Throwable error) {
        int retries = queue.numRequeues(item);
        boolean willRetry = retries < maxRetries && !queue.isShuttingDown();
        Duration delay = new FailedSync(error, retries, willRetry).reportTo(queue, item);
        if (failureListener != null) {
            failureListener.failed(item, error, retries, willRetry);
        } else {
            log(item, error, delay);
        }
    }

    /**
     * Writes one line about a failure that is retried, as it may be a conflict; its stack trace is written at DEBUG.
     */
    private void log(T item, Throwable error, @Nullable Duration delay) {
        String line = failureLine(queue.name(), item, error, delay);
        if (delay == null) {
            LOG.log(System.Logger.Level.ERROR, line, error);
        } else {
            LOG.log(System.Logger.Level.WARNING, line);
            LOG.log(System.Logger.Level.DEBUG, line, error);
        }
    }

    /** Returns the line about a failed sync; a delay of null means that the item is not retried. */
    static String failureLine(String queue, Object item, Throwable error, @Nullable Duration delay) {
        return "Cannot sync " + item + (queue.isEmpty() ? "" : " of queue " + queue) + ": " + error
                + (delay == null ? "; it is not retried" : "; trying again in " + delay.toMillis() + " ms");
    }

    /**
     * Blocks until all threads have ended or the timeout has passed. The threads end only after the queue is shut down.
     *
     * @return whether all threads have ended; false after the timeout
     * @throws InterruptedException if interrupted while waiting
     */
    public boolean join(Duration timeout) throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.NANOSECONDS.convert(timeout);
        for (Thread thread : threads) {
            TimeUnit.NANOSECONDS.timedJoin(thread, deadline - System.nanoTime());
        }
        return !isRunning();
    }

    private boolean isRunning() {
        return threads.stream().anyMatch(Thread::isAlive);
    }

    /**
     * Shuts the queue down gracefully: the queue accepts no more items, the ready items are processed, the threads end.
     * Blocks until the threads have ended or the timeout has passed. After the timeout, or if the caller is
     * interrupted, this method interrupts the threads, which then end after their current item.
     *
     * @return true if every ready item was processed and every thread has ended; false after the timeout. {@link
     *     WorkQueue#length} is then the number of items left
     * @throws InterruptedException if interrupted while waiting
     */
    public boolean stop(Duration timeout) throws InterruptedException {
        boolean ended = false;
        try {
            queue.shutDown();
            ended = join(timeout);
        } finally {
            if (!ended) {
                abandon();
            }
        }
        return ended;
    }

    private void abandon() {
        abandoned = true;
        threads.forEach(Thread::interrupt);
    }

    /**
     * Stops the worker as {@link #stop} does, with a timeout of 30 s. An interrupt ends the wait and stays set. A call
     * from the handler shuts the queue down and does not wait.
     */
    @Override
    public void close() {
        if (threads.contains(Thread.currentThread())) {
            queue.shutDown();
            return;
        }
        try {
            stop(CLOSE_TIMEOUT);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * The settings of a worker. Not thread-safe.
     *
     * @param <T> the type of the items
     */
    public static final class Builder<T> {

        private final RateLimitingQueue<T> queue;
        private final SyncHandler<? super T> handler;
        private int threads = 1;
        private ThreadFactory threadFactory = Thread::new;
        private int maxRetries = Integer.MAX_VALUE;
        private @Nullable SyncFailureListener<? super T> failureListener;

        private Builder(RateLimitingQueue<T> queue, SyncHandler<? super T> handler) {
            this.queue = Objects.requireNonNull(queue, "queue");
            this.handler = Objects.requireNonNull(handler, "handler");
        }

        /**
         * Sets the number of threads, each of which processes one item at a time. Default 1.
         *
         * @throws IllegalArgumentException if the number is less than 1
         */
        public Builder<T> threads(int count) {
            if (count < 1) {
                throw new IllegalArgumentException("threads must be at least 1, got " + count);
            }
            threads = count;
            return this;
        }

        /** Sets the factory of the threads. Default: platform threads. */
        public Builder<T> threadFactory(ThreadFactory factory) {
            threadFactory = Objects.requireNonNull(factory, "factory");
            return this;
        }

        /**
         * Sets the number of consecutive retries, by {@link RateLimitingQueue#numRequeues}, after which an item is no
         * longer retried until it is added again. Default: no limit.
         */
        public Builder<T> maxRetries(int count) {
            maxRetries = count;
            return this;
        }

        /** Sets the listener for failures. Default: one line in the log for each, with the time of the retry. */
        public Builder<T> onFailure(SyncFailureListener<? super T> listener) {
            failureListener = Objects.requireNonNull(listener, "listener");
            return this;
        }

        /** Starts the worker. */
        public Worker<T> start() {
            Worker<T> worker = new Worker<>(this);
            worker.startThreads();
            return worker;
        }
    }

    private void startThreads() {
        SchedulerScope.note("queue " + queue.name(), queue.scheduler(), this::isRunning);
        started.set(1);
        boolean isStarted = false;
        try {
            threads.get(0).start();
            isStarted = true;
        } finally {
            if (!isStarted) {
                abandon();
            }
        }
    }
}
