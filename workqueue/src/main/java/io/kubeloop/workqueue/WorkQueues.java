package io.kubeloop.workqueue;

import io.kubeloop.workqueue.queue.FifoWorkQueue;
import io.kubeloop.workqueue.queue.HeapDelayingQueue;
import io.kubeloop.workqueue.queue.HeapPriorityQueue;
import io.kubeloop.workqueue.queue.LimitedDelayingQueue;
import io.kubeloop.workqueue.queue.OrderedWorkQueue;
import java.time.Duration;

/** Makes queues. */
public final class WorkQueues {

    private WorkQueues() {}

    /** Makes a plain queue. */
    public static <T> WorkQueue<T> fifo(WorkQueueConfig config) {
        return new FifoWorkQueue<>(config);
    }

    /**
     * Makes a plain queue that hands out items in another order.
     *
     * @param order used by this queue alone
     */
    public static <T> WorkQueue<T> ordered(WorkQueueConfig config, QueueOrder<T> order) {
        return new OrderedWorkQueue<>(config, order);
    }

    /** Makes a queue to which items can be added later. Its thread is started with the first such item. */
    public static <T> DelayingQueue<T> delaying(WorkQueueConfig config) {
        return new HeapDelayingQueue<>(new FifoWorkQueue<>(config), config.clock());
    }

    /**
     * Makes a queue for a controller, with a {@linkplain RateLimiters#defaultController() default rate limiter} of its
     * own: limiters shared between queues slow each other down.
     *
     * @param name names the queue in thread names
     */
    public static <T> RateLimitingQueue<T> rateLimiting(String name) {
        return rateLimiting(WorkQueueConfig.named(name));
    }

    /** Makes a queue for a controller, with a default rate limiter of its own that goes by the queue's clock. */
    public static <T> RateLimitingQueue<T> rateLimiting(WorkQueueConfig config) {
        return rateLimiting(config, RateLimiters.defaultController(config.clock()));
    }

    /**
     * Makes a queue with retries that the limiter delays.
     *
     * @param limiter used by this queue alone
     */
    public static <T> RateLimitingQueue<T> rateLimiting(String name, RateLimiter<? super T> limiter) {
        return rateLimiting(WorkQueueConfig.named(name), limiter);
    }

    /**
     * Makes a queue with retries that the limiter delays.
     *
     * @param limiter used by this queue alone
     */
    public static <T> RateLimitingQueue<T> rateLimiting(WorkQueueConfig config, RateLimiter<? super T> limiter) {
        return new LimitedDelayingQueue<>(delaying(config), limiter);
    }

    /**
     * Makes a queue with retries that the limiter delays, which hands out items in another order.
     *
     * @param limiter used by this queue alone
     * @param order used by this queue alone
     */
    public static <T> RateLimitingQueue<T> rateLimiting(
            WorkQueueConfig config, RateLimiter<? super T> limiter, QueueOrder<T> order) {
        return new LimitedDelayingQueue<>(
                new HeapDelayingQueue<>(new OrderedWorkQueue<>(config, order), config.clock()), limiter);
    }

    /**
     * Makes a queue with priorities. Each item waits 5 ms after its first failure, doubling up to 1000 s; there is no limit
     * on all items together.
     *
     * @param name names the queue in thread names
     */
    public static <T> PriorityWorkQueue<T> priority(String name) {
        return priority(
                WorkQueueConfig.named(name), RateLimiters.exponential(Duration.ofMillis(5), Duration.ofSeconds(1000)));
    }

    /**
     * Makes a queue with priorities and retries that the limiter delays.
     *
     * @param limiter used by this queue alone
     */
    public static <T> PriorityWorkQueue<T> priority(WorkQueueConfig config, RateLimiter<? super T> limiter) {
        return new HeapPriorityQueue<>(config, limiter);
    }
}
