/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.workqueue;

import io.kubeloop.workqueue.queue.KeyedWorkQueue;
import java.time.Duration;

/** Creates queues. No method blocks. */
public final class WorkQueues {

    private WorkQueues() {}

    /** Creates a plain queue, which hands out items in the order of their adds. */
    public static <T> WorkQueue<T> fifo(WorkQueueConfig config) {
        return KeyedWorkQueue.fifo(config, RateLimiters.defaultItemBased());
    }

    /**
     * Creates a plain queue with the given order.
     *
     * @param order the order of the items; must not be shared with another queue
     */
    public static <T> WorkQueue<T> ordered(WorkQueueConfig config, QueueOrder<T> order) {
        return KeyedWorkQueue.ordered(config, RateLimiters.defaultItemBased(), order);
    }

    /** Creates a queue with delayed items. Items become ready on the thread of the scheduler. */
    public static <T> DelayingQueue<T> delaying(WorkQueueConfig config) {
        return KeyedWorkQueue.fifo(config, RateLimiters.defaultItemBased());
    }

    /**
     * Creates a queue for a controller. It has its own {@linkplain RateLimiters#defaultController() default rate
     * limiter}; queues that share a limiter slow each other down.
     *
     * @param name the name of the queue in thread names
     */
    public static <T> RateLimitingQueue<T> rateLimiting(String name) {
        return rateLimiting(WorkQueueConfig.named(name));
    }

    /** Creates a queue for a controller. It has its own default rate limiter, which uses the queue's time. */
    public static <T> RateLimitingQueue<T> rateLimiting(WorkQueueConfig config) {
        return rateLimiting(config, RateLimiters.defaultController(config.scheduler()));
    }

    /**
     * Creates a queue whose rate limiter chooses the delay of retries.
     *
     * @param limiter the rate limiter; should not be shared with another queue
     */
    public static <T> RateLimitingQueue<T> rateLimiting(String name, RateLimiter<? super T> limiter) {
        return rateLimiting(WorkQueueConfig.named(name), limiter);
    }

    /**
     * Creates a queue whose rate limiter chooses the delay of retries.
     *
     * @param limiter the rate limiter; should not be shared with another queue
     */
    public static <T> RateLimitingQueue<T> rateLimiting(WorkQueueConfig config, RateLimiter<? super T> limiter) {
        return KeyedWorkQueue.fifo(config, limiter);
    }

    /**
     * Creates a queue with the given order, whose rate limiter chooses the delay of retries.
     *
     * @param limiter the rate limiter; should not be shared with another queue
     * @param order the order of the items; must not be shared with another queue
     */
    public static <T> RateLimitingQueue<T> rateLimiting(
            WorkQueueConfig config, RateLimiter<? super T> limiter, QueueOrder<T> order) {
        return KeyedWorkQueue.ordered(config, limiter, order);
    }

    /**
     * Creates a queue with priorities. The delay of an item is 5 ms after its first failure, doubled with each failure
     * up to 1000 s. There is no limit on all items together.
     *
     * @param name the name of the queue in thread names
     */
    public static <T> PriorityWorkQueue<T> priority(String name) {
        return priority(
                WorkQueueConfig.named(name), RateLimiters.exponential(Duration.ofMillis(5), Duration.ofSeconds(1000)));
    }

    /**
     * Creates a queue with priorities, whose rate limiter chooses the delay of retries.
     *
     * @param limiter the rate limiter; should not be shared with another queue
     */
    public static <T> PriorityWorkQueue<T> priority(WorkQueueConfig config, RateLimiter<? super T> limiter) {
        return KeyedWorkQueue.prioritized(config, limiter);
    }
}
