package io.kubeloop.workqueue;

import java.util.ArrayDeque;

/**
 * The queue that hands out what came first (upstream: the default order of {@code util/workqueue/queue.go}). Thread-safe.
 *
 * @param <T> the type of the items
 */
final class FifoWorkQueue<T> extends AbstractWorkQueue<T, AbstractWorkQueue.Entry<T>> {

    /** Guarded by lock. */
    private final ArrayDeque<Entry<T>> line = new ArrayDeque<>();

    FifoWorkQueue(WorkQueueConfig config) {
        super(config);
        register(config);
    }

    @Override
    Entry<T> newEntry(T item) {
        return new Entry<>(item);
    }

    @Override
    void push(Entry<T> entry) {
        line.addLast(entry);
    }

    @Override
    Entry<T> pop() {
        return line.removeFirst();
    }

    @Override
    int lineLength() {
        return line.size();
    }
}
