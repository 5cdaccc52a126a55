package io.kubeloop.workqueue;

import io.kubeloop.workqueue.runtime.UserCode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;

/**
 * The threads that process a queue's items (upstream: the {@code runWorker} and {@code processNextWorkItem} that each
 * controller writes for itself). Thread-safe.
 *
 * <p>It owns the calls that are easily forgotten: {@link WorkQueue#done} after every item, {@link
 * RateLimitingQueue#forget} after success and when an item is given up, {@link RateLimitingQueue#retry} after failure.
 * Whatever the handler throws, errors included, costs that item a retry and nothing else.
 *
 * <p>The threads end when the queue is shut down and empty. They are named after the queue.
 *
 * @param <T> the type of the items
 */
public final class Worker<T> implements AutoCloseable {

    // Invariants
    //   W1  Each item that was taken is done exactly once, whatever handler and listener throw.
    //   W2  A thread ends only if the queue is shut down and empty, after abandoned was set, or with what get threw:
    //       a QueueOrder that cannot pop is broken for good, and asking it again would spin. The JVM hands that error
    //       to the thread's handler of uncaught exceptions. Errors of done, for example from an order that refuses the
    //       item, go to the same handler, and the thread continues.
    //   W3  Only stop interrupts the threads, after setting abandoned. Any other interrupt belongs to the item during
    //       which it came, and is cleared before the next item is taken.
    // No lock. Handler and listener are the user's code, and run on the worker's threads.

    /** How long {@link #close} waits for items that are being processed. */
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(30);

    private final RateLimitingQueue<T> queue;
    private final SyncHandler<? super T> handler;
    private final SyncFailureListener<? super T> failureListener;
    private final int maxRetries;
    private final List<Thread> threads;
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
     * Starts threads that process the queue's items; each failure is retried, and reported to the thread's handler of
     * uncaught exceptions. {@link #builder} can do more.
     *
     * @param workers how many threads; at least 1
     */
    public static <T> Worker<T> start(
            RateLimitingQueue<T> queue, int workers, ThreadFactory threadFactory, SyncHandler<? super T> handler) {
        return builder(queue, handler)
                .threads(workers)
                .threadFactory(threadFactory)
                .start();
    }

    /** Returns a builder for a worker that is to process the queue's items. */
    public static <T> Builder<T> builder(RateLimitingQueue<T> queue, SyncHandler<? super T> handler) {
        return new Builder<>(queue, handler);
    }

    private void run() {
        while (processNextWorkItem()) {
            // All work is in the condition, as in the loop it is named after.
        }
    }

    /** Processes one item; returns false when there will be none. Blocks while there is none. */
    private boolean processNextWorkItem() {
        if (abandoned) {
            return false;
        }
        T item;
        try {
            item = queue.get();
        } catch (InterruptedException e) {
            return !abandoned;
        }
        if (item == null) {
            return false;
        }
        try {
            sync(item);
        } finally {
            done(item);
            // An interrupt that the handler left behind was meant for this item (W3).
            Thread.interrupted();
        }
        return true;
    }

    private void done(T item) {
        try {
            queue.done(item);
        } catch (Throwable e) {
            UserCode.report(e);
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
                UserCode.report(again);
            }
        }
    }

    private void retry(T item, Throwable error) {
        int retries = queue.numRequeues(item);
        boolean willRetry = retries < maxRetries && !queue.isShuttingDown();
        if (willRetry) {
            queue.retry(item);
        } else {
            queue.forget(item);
        }
        failureListener.failed(item, error, retries, willRetry);
    }

    /**
     * Blocks until all threads have ended or the timeout has passed. The threads end only after the queue is shut down.
     *
     * @return false if the time ran out
     * @throws InterruptedException if interrupted while waiting
     */
    public boolean join(Duration timeout) throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.NANOSECONDS.convert(timeout);
        for (Thread thread : threads) {
            TimeUnit.NANOSECONDS.timedJoin(thread, deadline - System.nanoTime());
        }
        return threads.stream().noneMatch(Thread::isAlive);
    }

    /**
     * Shuts the queue down in order: it accepts no items, the ready items are processed, the threads end. Blocks until the
     * threads have ended or the timeout has passed. After the timeout, or if the caller is interrupted, this method
     * interrupts the threads, which then end after their current item.
     *
     * @return true if every item was processed and every thread has ended; false if the time ran out: {@link
     *     WorkQueue#length} is the number of items left
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
     * Stops the worker as {@link #stop} does, with a timeout of 30 s. An interrupt ends the wait and stays set. If the
     * handler calls it, it shuts the queue down and does not wait.
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
     * How a worker is made. Not thread-safe.
     *
     * @param <T> the type of the items
     */
    public static final class Builder<T> {

        private final RateLimitingQueue<T> queue;
        private final SyncHandler<? super T> handler;
        private int threads = 1;
        private ThreadFactory threadFactory = Thread::new;
        private int maxRetries = Integer.MAX_VALUE;
        private SyncFailureListener<? super T> failureListener =
                (item, error, retries, willRetry) -> UserCode.report(error);

        private Builder(RateLimitingQueue<T> queue, SyncHandler<? super T> handler) {
            this.queue = Objects.requireNonNull(queue, "queue");
            this.handler = Objects.requireNonNull(handler, "handler");
        }

        /** Sets how many items are processed at a time, each on a thread of its own. Default 1. */
        public Builder<T> threads(int count) {
            if (count < 1) {
                throw new IllegalArgumentException("a worker needs at least one thread, not " + count);
            }
            threads = count;
            return this;
        }

        /** Sets what makes the threads. Default: platform threads. */
        public Builder<T> threadFactory(ThreadFactory factory) {
            threadFactory = Objects.requireNonNull(factory, "factory");
            return this;
        }

        /**
         * Sets after how many retries in a row, by {@link RateLimitingQueue#numRequeues}, an item is given up until it is added
         * anew. Default: never.
         */
        public Builder<T> maxRetries(int count) {
            maxRetries = count;
            return this;
        }

        /** Sets the listener for failures. Default: the thread's handler of uncaught exceptions. */
        public Builder<T> onFailure(SyncFailureListener<? super T> listener) {
            failureListener = Objects.requireNonNull(listener, "listener");
            return this;
        }

        /** Starts the threads. */
        public Worker<T> start() {
            Worker<T> worker = new Worker<>(this);
            worker.startThreads();
            return worker;
        }
    }

    private void startThreads() {
        int started = 0;
        try {
            for (Thread thread : threads) {
                thread.start();
                started++;
            }
        } finally {
            if (started < threads.size()) {
                abandon();
            }
        }
    }
}
