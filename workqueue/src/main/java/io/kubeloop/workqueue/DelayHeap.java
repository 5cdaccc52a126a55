package io.kubeloop.workqueue;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Items with the time at which they are ready, earliest first; each item once. Not thread-safe: confined to the lock of
 * its owner.
 *
 * <p>A binary heap that knows where each item stands, so that a time can be made earlier in O(log n) and nothing stale
 * stays behind; {@link java.util.PriorityQueue} would search for it, or keep it. Times are compared by difference, as
 * those of {@link System#nanoTime} must be. Items of equal time come out in the order in which they got it.
 *
 * @param <T> the type of the items
 */
final class DelayHeap<T> {

    private static final class Entry<T> {
        final T item;
        long readyAt;
        long sequence;
        int index;

        Entry(T item) {
            this.item = item;
        }

        boolean before(Entry<T> other) {
            long difference = readyAt - other.readyAt;
            return difference < 0 || (difference == 0 && sequence < other.sequence);
        }
    }

    private final Map<T, Entry<T>> entries = new HashMap<>();

    @SuppressWarnings({"unchecked", "rawtypes"})
    private @Nullable Entry<T>[] heap = new Entry[16];

    private int size;
    private long sequence;

    /**
     * Adds the item, or makes its time earlier; a later time than it has is ignored (DQ-02). O(log n).
     *
     * @return whether the item is now the earliest, and was not so at this time before
     */
    boolean offer(T item, long readyAt) {
        Entry<T> entry = entries.get(item);
        if (entry == null) {
            entry = new Entry<>(item);
            entries.put(item, entry);
            if (size == heap.length) {
                heap = Arrays.copyOf(heap, size * 2);
            }
            entry.index = size++;
        } else if (readyAt - entry.readyAt >= 0) {
            return false;
        }
        entry.readyAt = readyAt;
        entry.sequence = sequence++;
        siftUp(entry);
        return entry.index == 0;
    }

    /** Removes and returns the earliest item if it is ready: its time is not after now. Null if none is. O(log n). */
    @Nullable
    T pollReady(long now) {
        if (size == 0 || at(0).readyAt - now > 0) {
            return null;
        }
        Entry<T> first = at(0);
        Entry<T> last = at(--size);
        heap[size] = null;
        if (size > 0) {
            last.index = 0;
            siftDown(last);
        }
        entries.remove(first.item);
        return first.item;
    }

    boolean isEmpty() {
        return size == 0;
    }

    int size() {
        return size;
    }

    /** Returns the earliest time; the heap is not empty. */
    long earliest() {
        return at(0).readyAt;
    }

    void clear() {
        entries.clear();
        Arrays.fill(heap, 0, size, null);
        size = 0;
    }

    private Entry<T> at(int index) {
        return Objects.requireNonNull(heap[index]);
    }

    private void place(Entry<T> entry, int index) {
        heap[index] = entry;
        entry.index = index;
    }

    private void siftUp(Entry<T> entry) {
        int index = entry.index;
        while (index > 0) {
            int parent = (index - 1) / 2;
            if (!entry.before(at(parent))) {
                break;
            }
            place(at(parent), index);
            index = parent;
        }
        place(entry, index);
    }

    private void siftDown(Entry<T> entry) {
        int index = entry.index;
        while (2 * index + 1 < size) {
            int child = 2 * index + 1;
            if (child + 1 < size && at(child + 1).before(at(child))) {
                child++;
            }
            if (!at(child).before(entry)) {
                break;
            }
            place(at(child), index);
            index = child;
        }
        place(entry, index);
    }
}
