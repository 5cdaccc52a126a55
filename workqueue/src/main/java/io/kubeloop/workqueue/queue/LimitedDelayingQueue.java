package io.kubeloop.workqueue.queue;

import io.kubeloop.workqueue.DelayingQueue;
import io.kubeloop.workqueue.RateLimiter;
import io.kubeloop.workqueue.RateLimitingQueue;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A delaying queue with a rate limiter (upstream: {@code util/workqueue/rate_limiting_queue.go}). Thread-safe: it has no
 * mutable state of its own.
 *
 * @param <T> the type of the items
 */
public final class LimitedDelayingQueue<T> implements RateLimitingQueue<T> {

    private final DelayingQueue<T> queue;
    private final RateLimiter<? super T> limiter;

    /** Creates a queue; {@link io.kubeloop.workqueue.WorkQueues} describes the parameters. */
    public LimitedDelayingQueue(DelayingQueue<T> queue, RateLimiter<? super T> limiter) {
        this.queue = queue;
        this.limiter = Objects.requireNonNull(limiter, "limiter");
    }

    @Override
    public void addRateLimited(T item) {
        queue.addAfter(item, limiter.when(item));
    }

    @Override
    public void forget(T item) {
        limiter.forget(item);
    }

    @Override
    public int numRequeues(T item) {
        return limiter.numRequeues(item);
    }

    @Override
    public void addAfter(T item, Duration delay) {
        queue.addAfter(item, delay);
    }

    @Override
    public int delayed() {
        return queue.delayed();
    }

    @Override
    public List<T> dropped() {
        return queue.dropped();
    }

    @Override
    public String name() {
        return queue.name();
    }

    @Override
    public void add(T item) {
        queue.add(item);
    }

    @Override
    public @Nullable T get() throws InterruptedException {
        return queue.get();
    }

    @Override
    public void done(T item) {
        queue.done(item);
    }

    @Override
    public int length() {
        return queue.length();
    }

    @Override
    public void shutDown() {
        queue.shutDown();
    }

    @Override
    public void shutDownWithDrain() throws InterruptedException {
        queue.shutDownWithDrain();
    }

    @Override
    public boolean isShuttingDown() {
        return queue.isShuttingDown();
    }
}
