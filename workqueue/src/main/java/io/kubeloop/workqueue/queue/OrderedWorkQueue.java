package io.kubeloop.workqueue.queue;

import io.kubeloop.workqueue.QueueOrder;
import io.kubeloop.workqueue.WorkQueueConfig;
import java.util.Objects;

/**
 * A queue that hands out items in an order of the user's (upstream: {@code TypedQueueConfig.Queue}). Thread-safe.
 *
 * @param <T> the type of the items
 */
public final class OrderedWorkQueue<T> extends AbstractWorkQueue<T, AbstractWorkQueue.Entry<T>> {

    /** Guarded by lock: the one piece of user code that runs under it, as its contract states. */
    private final QueueOrder<T> order;

    /** Makes one; {@link io.kubeloop.workqueue.WorkQueues} describes the parameters. */
    public OrderedWorkQueue(WorkQueueConfig config, QueueOrder<T> order) {
        super(config);
        this.order = Objects.requireNonNull(order, "order");
        register(config);
    }

    @Override
    Entry<T> newEntry(T item) {
        return new Entry<>(item);
    }

    @Override
    void touch(Entry<T> entry) {
        order.touch(entry.item);
    }

    @Override
    void push(Entry<T> entry) {
        order.push(entry.item);
    }

    @Override
    Entry<T> pop() {
        T item = Objects.requireNonNull(order.pop(), "the order of queue " + name() + " popped nothing");
        return entry(item);
    }

    @Override
    int lineLength() {
        return order.length();
    }
}
