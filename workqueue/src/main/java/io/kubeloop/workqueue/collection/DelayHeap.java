package io.kubeloop.workqueue.collection;

import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Items with the time at which they are ready, earliest first; each item once. Not thread-safe: confined to the lock of
 * its owner.
 *
 * <p>Times are compared by difference, as those of {@link System#nanoTime} must be. Items of equal time come out in the
 * order in which they got it.
 *
 * @param <T> the type of the items
 */
public final class DelayHeap<T> {

    private static final class Entry<T> extends IndexedHeap.Node {
        final T item;
        long readyAt;
        long sequence;

        Entry(T item) {
            this.item = item;
        }
    }

    private static final Comparator<Entry<?>> EARLIEST_FIRST = (one, other) -> {
        int byTime = Long.signum(one.readyAt - other.readyAt);
        return byTime != 0 ? byTime : Long.signum(one.sequence - other.sequence);
    };

    private final ShrinkingMap<T, Entry<T>> entries = new ShrinkingMap<>();
    private final IndexedHeap<Entry<T>> heap = new IndexedHeap<>(EARLIEST_FIRST);
    private long sequence;

    /** Makes an empty heap. */
    public DelayHeap() {}

    /** Adds the item, or makes its time earlier; a later time than it has is ignored (DQ-02). O(log n). */
    public void offer(T item, long readyAt) {
        Entry<T> entry = entries.get(item);
        if (entry == null) {
            entry = new Entry<>(item);
            entry.readyAt = readyAt;
            entry.sequence = sequence++;
            heap.push(entry); // first: if the heap cannot grow, for want of memory, the item is in neither
            entries.put(item, entry);
        } else if (readyAt - entry.readyAt < 0) {
            entry.readyAt = readyAt;
            entry.sequence = sequence++;
            heap.update(entry);
        }
    }

    /** Removes and returns the earliest item if it is ready: its time is not after now. Null if none is. O(log n). */
    public @Nullable T pollReady(long now) {
        return heap.isEmpty() || heap.first().readyAt - now > 0 ? null : poll();
    }

    private T poll() {
        T item = heap.pop().item;
        entries.remove(item);
        return item;
    }

    /** Returns whether the heap holds no item. */
    public boolean isEmpty() {
        return heap.isEmpty();
    }

    /** Returns the number of items. */
    public int size() {
        return heap.size();
    }

    /** Returns the earliest time; the heap is not empty. */
    public long earliest() {
        return heap.first().readyAt;
    }

    /** Moves all items, earliest first, to the end of a list. O(n log n). */
    public void drainTo(List<? super T> list) {
        while (!heap.isEmpty()) {
            list.add(poll());
        }
    }
}
