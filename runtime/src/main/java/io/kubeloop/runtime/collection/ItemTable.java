/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.runtime.collection;

import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A hash table whose nodes are the states of its items. It allocates nothing while items come and go, and releases
 * memory after a burst. Not thread-safe: guarded by the lock of its owner.
 *
 * <p>A look-up is O(1), also for strings and records whose hash codes a tenant has chosen to be equal: a table with a
 * chain of more than {@value #LONGEST_CHAIN} of them goes over to {@link SeededHash}, until it is empty.
 *
 * @param <T> the type of the items
 * @param <N> the type of the nodes
 */
public final class ItemTable<T, N extends ItemTable.Node<T>> {

    /*
     * A HashMap allocates 32 bytes for each key beside the value, and its table never shrinks. Here the node holds hash
     * and link itself, and a removed node is used again: an item's way through a work queue allocates 0 bytes instead
     * of 72.
     *
     * Invariants: a node is in one chain of `table` or among the spare nodes. A spare node has no item. `spare` links
     * at most LARGEST_KEPT nodes. The hash of each node in `table` is that of hash(item), as `seeded` is now.
     */

    /**
     * The state of one item. Owners extend it by their own fields.
     *
     * @param <T> the type of the item
     */
    public abstract static class Node<T> extends IndexedHeap.Node {
        private @Nullable T item;
        private int hash;
        private @Nullable Node<T> next;

        /** Creates a node without an item. */
        protected Node() {}

        /** Returns the item; a node in a table has one. */
        public final T item() {
            return Objects.requireNonNull(item);
        }
    }

    /** The maximum size of an empty table that is kept, and the maximum number of removed nodes that are kept. */
    static final int LARGEST_KEPT = 1024;

    /** Chance makes no longer chain, whose expected length is less than 1. */
    private static final int LONGEST_CHAIN = 16;

    private static final int INITIAL = 16;

    private final Supplier<N> factory;
    private @Nullable Node<T>[] table = newTable(INITIAL);
    private int size;
    private boolean seeded;

    private @Nullable Node<T> spare;
    private int spares;

    /**
     * Creates an empty table.
     *
     * @param factory creates a node
     */
    public ItemTable(Supplier<N> factory) {
        this.factory = factory;
    }

    /** Returns the node of the item; null if it is absent. */
    @SuppressWarnings("unchecked") // only add stores nodes, and those are of type N
    public @Nullable N get(T item) {
        int hash = hash(item);
        for (Node<T> node = table[hash & table.length - 1]; node != null; node = node.next) {
            if (node.hash == hash && item.equals(node.item)) {
                return (N) node;
            }
        }
        return null;
    }

    /**
     * Adds an absent item, and returns its node, whose other fields are as its owner left them at the removal. O(1)
     * amortized.
     */
    public N add(T item) {
        if (size == 0) {
            seeded = false;
            table = table.length > 2 * LARGEST_KEPT ? newTable(INITIAL) : table;
        } else if (size >= table.length - table.length / 4) {
            rebuild(2 * table.length);
        }
        N made = takeSpare();
        Node<T> node = made;
        node.item = item;
        node.hash = hash(item);
        link(table, node);
        size++;
        if (node.next != null && !seeded && isTooLong(node) && SeededHash.appliesTo(item)) {
            seeded = true;
            rebuild(table.length);
        }
        return made;
    }

    private static boolean isTooLong(Node<?> chain) {
        int length = 1;
        for (Node<?> node = chain; node.next != null; node = node.next) {
            length++;
        }
        return length > LONGEST_CHAIN;
    }

    /**
     * Removes a node of this table. The owner must not use it any more.
     *
     * @return whether the node is kept for {@link #add}
     */
    public boolean remove(N node) {
        unlink(node);
        if (spares == LARGEST_KEPT) {
            return false;
        }
        Node<T> removed = node;
        removed.item = null;
        removed.next = spare;
        spare = removed;
        spares++;
        return true;
    }

    private void unlink(N node) {
        Node<T> removed = node;
        int chain = removed.hash & table.length - 1;
        Node<T> before = table[chain];
        if (before == removed) {
            table[chain] = removed.next;
        } else {
            while (before != null && before.next != removed) {
                before = before.next;
            }
            Objects.requireNonNull(before, "no node of this table").next = removed.next;
        }
        removed.next = null;
        size--;
    }

    /** Returns the number of items. */
    public int size() {
        return size;
    }

    /** Returns whether the table is empty. */
    public boolean isEmpty() {
        return size == 0;
    }

    /** Returns the length of the array. */
    int capacity() {
        return table.length;
    }

    @SuppressWarnings("unchecked") // only remove stores nodes, and those are of type N
    private N takeSpare() {
        Node<T> node = spare;
        if (node == null) {
            return factory.get();
        }
        spare = node.next;
        spares--;
        node.next = null;
        return (N) node;
    }

    private void rebuild(int length) {
        @Nullable Node<T>[] rebuilt = newTable(length);
        for (Node<T> first : table) {
            Node<T> next;
            for (Node<T> node = first; node != null; node = next) {
                next = node.next;
                node.hash = seeded ? hash(node.item()) : node.hash;
                link(rebuilt, node);
            }
        }
        table = rebuilt;
    }

    private static <T> void link(@Nullable Node<T>[] table, Node<T> node) {
        int chain = node.hash & table.length - 1;
        node.next = table[chain];
        table[chain] = node;
    }

    /** Spreads the hash code: the table uses its low bits, which differ least in those of strings. */
    private int hash(Object item) {
        if (seeded) {
            return SeededHash.of(item);
        }
        int hash = item.hashCode();
        return hash ^ hash >>> 16;
    }

    @SuppressWarnings("unchecked") // an array of a generic type can be made only in this way
    private static <T> @Nullable Node<T>[] newTable(int length) {
        return (Node<T>[]) new Node<?>[length];
    }
}
