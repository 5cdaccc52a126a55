package io.kubeloop.workqueue;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The queue that hands out what came first (upstream: the default order of {@code util/workqueue/queue.go}). Thread-safe.
 *
 * @param <T> the type of the items
 */
final class FifoWorkQueue<T> extends AbstractWorkQueue<T, AbstractWorkQueue.Entry<T>> {

    // Two lists and no ArrayDeque: a list that cannot grow, for want of memory, refuses one entry and keeps the
    // others. A deque looks empty then, and what was in it would never be handed out, nor taken in again: it is dirty.

    /** What came last; becomes leaving when that is through. Guarded by lock. */
    private List<@Nullable Entry<T>> arrived = new ArrayList<>();

    /** What comes next, from index next on; null before that. Guarded by lock. */
    private List<@Nullable Entry<T>> leaving = new ArrayList<>();

    /** Guarded by lock. */
    private int next;

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
        arrived.add(entry);
    }

    @Override
    Entry<T> pop() {
        if (next == leaving.size()) {
            List<@Nullable Entry<T>> through = leaving;
            through.clear();
            leaving = arrived;
            arrived = through;
            next = 0;
        }
        return Objects.requireNonNull(leaving.set(next++, null));
    }

    @Override
    int lineLength() {
        return arrived.size() + leaving.size() - next;
    }
}
