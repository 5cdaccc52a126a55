package io.kubeloop.workqueue.collection;

import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A heap of items ordered by the time at which they are ready; it holds each item once. Not thread-safe: guarded by the lock of
 * its owner.
 *
 * <p>Times are compared by difference, as {@link System#nanoTime} requires. Items with equal times come out in the order in which
 * they received them.
 *
 * @param <T> the type of the items
 */
public final class DelayHeap<T> {

    private static final class Entry<T> extends ItemTable.Node<T> {
        long readyAt;
        long sequence;
    }

    private static final Comparator<Entry<?>> EARLIEST_FIRST = (one, other) -> {
        int byTime = Long.signum(one.readyAt - other.readyAt);
        return byTime != 0 ? byTime : Long.signum(one.sequence - other.sequence);
    };

    private final ItemTable<T, Entry<T>> entries = new ItemTable<>(Entry::new);
    private final IndexedHeap<Entry<T>> heap = new IndexedHeap<>(EARLIEST_FIRST);
    private long sequence;

    /** Creates an empty heap. */
    public DelayHeap() {}

    /** Adds the item, or moves its time forward if the given time is earlier; a later time is ignored. O(log n). */
    public void offer(T item, long readyAt) {
        Entry<T> entry = entries.get(item);
        if (entry == null) {
            entry = entries.prepare(item);
            entry.readyAt = readyAt;
            entry.sequence = sequence++;
            heap.push(entry); // first: if memory is too short for the heap to grow, the item is in neither
            entries.link(entry);
        } else if (readyAt - entry.readyAt < 0) {
            entry.readyAt = readyAt;
            entry.sequence = sequence++;
            heap.update(entry);
        }
    }

    /** Removes and returns the earliest item if its time is not after {@code now}, otherwise returns null. O(log n). */
    public @Nullable T pollReady(long now) {
        return peekReady(now) == null ? null : poll();
    }

    /** Returns the earliest item if its time is not after {@code now}, otherwise returns null. */
    public @Nullable T peekReady(long now) {
        return heap.isEmpty() || heap.first().readyAt - now > 0
                ? null
                : heap.first().item();
    }

    /** Makes the time of the earliest item later. The heap is not empty. Allocates nothing. O(log n). */
    public void postponeFirst(long readyAt) {
        Entry<T> first = heap.first();
        first.readyAt = readyAt;
        heap.update(first);
    }

    private T poll() {
        Entry<T> first = heap.pop();
        T item = first.item();
        entries.remove(first);
        return item;
    }

    /** Returns whether the heap is empty. */
    public boolean isEmpty() {
        return heap.isEmpty();
    }

    /** Returns the number of items. */
    public int size() {
        return heap.size();
    }

    /** Returns the earliest time; the heap must not be empty. */
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
