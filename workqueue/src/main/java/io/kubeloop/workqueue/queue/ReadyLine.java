/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.workqueue.queue;

import io.kubeloop.runtime.collection.IndexedHeap;
import io.kubeloop.runtime.collection.ItemTable;
import io.kubeloop.workqueue.QueueOrder;
import java.util.Collections;
import java.util.Comparator;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The ready entries of a queue, in the order in which they are handed out. Not thread-safe: the queue calls every
 * method under its lock.
 *
 * @param <T> the type of the items
 */
abstract sealed class ReadyLine<T> {

    /** Adds an entry that is not in the line. Throws only what the {@link QueueOrder} throws. */
    abstract void push(Entry<T> entry);

    /** Removes and returns the next entry; the line must not be empty. */
    abstract Entry<T> pop();

    abstract int size();

    /** Called when an item is added whose entry is in the line. */
    void touch(Entry<T> entry) {}

    /** Gives an entry of the line a higher priority. Only a line with priorities is asked to. */
    void raise(Entry<T> entry, int priority, long sequence) {}

    /** Returns the number of entries by priority, highest priority first, without empty priorities. */
    Map<Integer, Integer> sizes() {
        return size() == 0 ? Map.of() : Map.of(0, size());
    }

    /** The oldest entry first. The entries are linked, so a push allocates nothing. */
    static final class Fifo<T> extends ReadyLine<T> {

        private @Nullable Entry<T> first;
        private @Nullable Entry<T> last;
        private int size;

        @Override
        void push(Entry<T> entry) {
            if (last == null) {
                first = entry;
            } else {
                last.behind = entry;
            }
            last = entry;
            size++;
        }

        @Override
        Entry<T> pop() {
            Entry<T> popped = Objects.requireNonNull(first, "the line is empty");
            first = popped.behind;
            popped.behind = null;
            last = first == null ? null : last;
            size--;
            return popped;
        }

        @Override
        int size() {
            return size;
        }
    }

    /**
     * The order of a user, which is user code under the queue's lock: the order is part of the queue's state. An order
     * that returns a foreign item from pop() breaks Q2 of {@link KeyedWorkQueue}: the item that it should have returned
     * stays dirty outside the line, and no later add puts it there.
     */
    static final class Ordered<T> extends ReadyLine<T> {

        private final String queue;
        private final QueueOrder<T> order;
        private final ItemTable<T, Entry<T>> entries;

        Ordered(String queue, QueueOrder<T> order, ItemTable<T, Entry<T>> entries) {
            this.queue = queue;
            this.order = Objects.requireNonNull(order, "order");
            this.entries = entries;
        }

        @Override
        void push(Entry<T> entry) {
            order.push(entry.item());
        }

        @Override
        Entry<T> pop() {
            T item = Objects.requireNonNull(
                    order.pop(),
                    "Cannot take an item from queue " + queue + ": its QueueOrder returned null from pop()");
            Entry<T> entry = entries.get(item);
            if (entry == null || !entry.dirty || entry.processing) {
                throw new IllegalStateException("Cannot take an item from queue " + queue + ": its QueueOrder returned "
                        + item + " from pop(), which is not in the queue");
            }
            return entry;
        }

        @Override
        int size() {
            return order.length();
        }

        @Override
        void touch(Entry<T> entry) {
            order.touch(entry.item());
        }
    }

    /** The highest priority first; among equals, the lowest sequence. */
    static final class Prioritized<T> extends ReadyLine<T> {

        /**
         * So many counts stay when they become 0, for the next item: 64 bytes less per item of a priority that comes
         * and goes.
         */
        private static final int KEPT = 16;

        private static final Comparator<Entry<?>> HIGHEST_FIRST = (one, other) -> {
            int byPriority = Integer.compare(other.priority, one.priority);
            return byPriority != 0 ? byPriority : Long.signum(one.readySequence - other.readySequence);
        };

        private final IndexedHeap<Entry<T>> heap = new IndexedHeap<>(HIGHEST_FIRST);
        private final TreeMap<Integer, int[]> counts = new TreeMap<>(Comparator.reverseOrder());

        @Override
        void push(Entry<T> entry) {
            heap.push(entry);
            count(entry.priority);
        }

        @Override
        Entry<T> pop() {
            Entry<T> entry = heap.pop();
            uncount(entry.priority);
            return entry;
        }

        @Override
        int size() {
            return heap.size();
        }

        @Override
        void raise(Entry<T> entry, int priority, long sequence) {
            count(priority);
            uncount(entry.priority);
            entry.priority = priority;
            entry.readySequence = sequence;
            heap.update(entry);
        }

        private void count(int priority) {
            counts.computeIfAbsent(priority, none -> new int[1])[0]++;
        }

        private void uncount(int priority) {
            int[] count = Objects.requireNonNull(counts.get(priority)); // counted before
            if (--count[0] == 0 && counts.size() > KEPT) {
                counts.remove(priority);
            }
        }

        @Override
        Map<Integer, Integer> sizes() {
            TreeMap<Integer, Integer> sizes = new TreeMap<>(counts.comparator());
            counts.forEach((priority, count) -> {
                if (count[0] > 0) {
                    sizes.put(priority, count[0]);
                }
            });
            return Collections.unmodifiableMap(sizes);
        }
    }
}
