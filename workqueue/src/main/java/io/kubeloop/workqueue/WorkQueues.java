package io.kubeloop.workqueue;

/** Makes queues. */
public final class WorkQueues {

    private WorkQueues() {}

    /** Makes a plain queue. */
    public static <T> WorkQueue<T> fifo(WorkQueueConfig config) {
        return new FifoWorkQueue<>(config);
    }

    /** Makes a queue to which items can be added later. Its thread is started with the first such item. */
    public static <T> DelayingQueue<T> delaying(WorkQueueConfig config) {
        return new HeapDelayingQueue<>(config);
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
     * Makes a queue with retries as the limiter says.
     *
     * @param limiter used by this queue alone
     */
    public static <T> RateLimitingQueue<T> rateLimiting(String name, RateLimiter<? super T> limiter) {
        return rateLimiting(WorkQueueConfig.named(name), limiter);
    }

    /**
     * Makes a queue with retries as the limiter says.
     *
     * @param limiter used by this queue alone
     */
    public static <T> RateLimitingQueue<T> rateLimiting(WorkQueueConfig config, RateLimiter<? super T> limiter) {
        return new LimitedDelayingQueue<>(new HeapDelayingQueue<>(config), limiter);
    }
}
