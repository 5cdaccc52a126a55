package io.kubeloop.workqueue.queue;

import io.kubeloop.workqueue.WorkQueueConfig;
import io.kubeloop.workqueue.collection.ShrinkingFifo;

/**
 * A queue that hands out items in the order of their adds (upstream: the default order of {@code util/workqueue/queue.go}).
 * Thread-safe.
 *
 * @param <T> the type of the items
 */
public final class FifoWorkQueue<T> extends AbstractWorkQueue<T, AbstractWorkQueue.Entry<T>> {

    /** Guarded by lock. */
    private final ShrinkingFifo<Entry<T>> line = new ShrinkingFifo<>();

    /** Creates a queue; {@link io.kubeloop.workqueue.WorkQueues} describes the parameters. */
    public FifoWorkQueue(WorkQueueConfig config) {
        super(config, Entry::new);
        register(config);
    }

    @Override
    void push(Entry<T> entry) {
        line.push(entry);
    }

    @Override
    Entry<T> pop() {
        return line.pop();
    }

    @Override
    int lineLength() {
        return line.size();
    }
}
