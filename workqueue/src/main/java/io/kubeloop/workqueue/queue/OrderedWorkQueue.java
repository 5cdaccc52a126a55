package io.kubeloop.workqueue.queue;

import io.kubeloop.workqueue.QueueOrder;
import io.kubeloop.workqueue.WorkQueueConfig;
import java.util.Objects;

/**
 * A queue that hands out items in the order of a {@link QueueOrder} (upstream: {@code TypedQueueConfig.Queue}). Thread-safe.
 *
 * @param <T> the type of the items
 */
public final class OrderedWorkQueue<T> extends AbstractWorkQueue<T, AbstractWorkQueue.Entry<T>> {

    /** Guarded by lock. User code that runs under the lock, as the contract of {@link QueueOrder} states. */
    private final QueueOrder<T> order;

    /** Creates a queue; {@link io.kubeloop.workqueue.WorkQueues} describes the parameters. */
    public OrderedWorkQueue(WorkQueueConfig config, QueueOrder<T> order) {
        super(config, Entry::new);
        this.order = Objects.requireNonNull(order, "order");
        register(config);
    }

    @Override
    void touch(Entry<T> entry) {
        order.touch(entry.item());
    }

    @Override
    void push(Entry<T> entry) {
        order.push(entry.item());
    }

    @Override
    Entry<T> pop() {
        T item = Objects.requireNonNull(
                order.pop(), "Cannot take an item from queue " + name() + ": its QueueOrder returned null from pop()");
        return entry(item);
    }

    @Override
    int lineLength() {
        return order.length();
    }
}
