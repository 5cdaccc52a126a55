/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.workqueue.collection;

import io.kubeloop.runtime.collection.IndexedHeap;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A hash table whose nodes are the states of its items. It allocates nothing while items come and go, and releases
 * memory after a burst. Not thread-safe: guarded by the lock of its owner.
 *
 * <p>Items with equal hash codes share a chain, which a look-up searches: O(1) for hash codes that differ.
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
     * Invariants: a node is in one chain of `table`, or among the spare nodes, or belongs to the owner. A spare node
     * has no item. `spare` links at most LARGEST_KEPT nodes.
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

    private static final int INITIAL = 16;

    private final Supplier<N> factory;
    private @Nullable Node<T>[] table = newTable(INITIAL);
    private int size;

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
    @SuppressWarnings("unchecked") // only link stores nodes, and those are of type N
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
     * Returns a node for an absent item, and makes room for it in the table. The fields of an owner are as it left them
     * when it removed the node. If memory is too short, it throws and nothing changes. O(1) amortized.
     */
    public N prepare(T item) {
        if (size == 0 && table.length > 2 * LARGEST_KEPT) {
            table = newTable(INITIAL);
        } else if (size >= table.length - table.length / 4) {
            grow();
        }
        int hash = hash(item);
        N made = takeSpare();
        Node<T> node = made;
        node.item = item;
        node.hash = hash;
        return made;
    }

    /** Adds a node that {@link #prepare} has returned. Allocates nothing. */
    public void link(N node) {
        link(table, node);
        size++;
    }

    /** Removes a node of this table, and keeps it for {@link #prepare}. The owner must not use it any more. */
    public void remove(N node) {
        unlink(node);
        if (spares < LARGEST_KEPT) {
            Node<T> removed = node;
            removed.item = null;
            removed.next = spare;
            spare = removed;
            spares++;
        }
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

    private void grow() {
        @Nullable Node<T>[] wider = newTable(2 * table.length);
        for (Node<T> first : table) {
            Node<T> next;
            for (Node<T> node = first; node != null; node = next) {
                next = node.next;
                link(wider, node);
            }
        }
        table = wider;
    }

    private static <T> void link(@Nullable Node<T>[] table, Node<T> node) {
        int chain = node.hash & table.length - 1;
        node.next = table[chain];
        table[chain] = node;
    }

    /** Spreads the hash code: the table uses its low bits, which differ least in those of strings. */
    private static int hash(Object item) {
        int hash = item.hashCode();
        return hash ^ hash >>> 16;
    }

    @SuppressWarnings("unchecked") // an array of a generic type can be made only in this way
    private static <T> @Nullable Node<T>[] newTable(int length) {
        return (Node<T>[]) new Node<?>[length];
    }
}
