/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.runtime.collection;

import java.util.Arrays;
import java.util.Comparator;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A binary heap whose nodes store their position, so a node can be moved or removed in O(log n). In a {@link
 * java.util.PriorityQueue} that takes a linear search. Not thread-safe: guarded by the lock of its owner.
 *
 * @param <N> the type of the nodes; a node is in at most one heap
 */
public final class IndexedHeap<N extends IndexedHeap.Node> {

    /** An element of a heap. */
    public abstract static class Node {
        private int index = -1;

        /** Creates a node that is in no heap. */
        protected Node() {}

        /** Returns whether the node is in a heap. */
        public final boolean isInHeap() {
            return index >= 0;
        }
    }

    /** The array never shrinks below this length. */
    static final int LARGEST_KEPT = 1024;

    private final Comparator<? super N> order;

    private @Nullable Node[] nodes = new Node[16];

    private int size;

    /** Creates an empty heap; the first node in the given order comes out first. */
    public IndexedHeap(Comparator<? super N> order) {
        this.order = order;
    }

    /** Returns whether the heap is empty. */
    public boolean isEmpty() {
        return size == 0;
    }

    /** Returns the number of nodes in the heap. */
    public int size() {
        return size;
    }

    /** Returns the first node; the heap must not be empty. */
    public N first() {
        return at(0);
    }

    /** Adds a node that is in no heap. O(log n). */
    public void push(N node) {
        if (size == nodes.length) {
            nodes = Arrays.copyOf(nodes, size * 2);
        } else if (nodes.length > LARGEST_KEPT && size < nodes.length / 8) {
            // Shrinks after a burst.
            nodes = Arrays.copyOf(nodes, Math.max(LARGEST_KEPT, 2 * size));
        }
        place(node, size++);
        siftUp(node);
    }

    /** Removes and returns the first node; the heap must not be empty. O(log n). */
    public N pop() {
        N first = first();
        remove(first);
        return first;
    }

    /** Removes a node of this heap. O(log n). */
    public void remove(N node) {
        Node removed = node;
        int hole = removed.index;
        N last = at(--size);
        nodes[size] = null;
        removed.index = -1;
        if (last != node) {
            place(last, hole);
            update(last);
        }
    }

    /** Moves a node of this heap to its new position after its order changed. O(log n). */
    public void update(N node) {
        siftUp(node);
        siftDown(node);
    }

    /** Returns the length of the array. */
    int capacity() {
        return nodes.length;
    }

    @SuppressWarnings("unchecked") // only place stores nodes, and those are of type N
    private N at(int index) {
        return (N) Objects.requireNonNull(nodes[index]);
    }

    private void place(N node, int index) {
        nodes[index] = node;
        ((Node) node).index = index;
    }

    private boolean before(N one, N other) {
        return order.compare(one, other) < 0;
    }

    private void siftUp(N node) {
        int index = ((Node) node).index;
        while (index > 0) {
            int parent = (index - 1) / 2;
            if (!before(node, at(parent))) {
                break;
            }
            place(at(parent), index);
            index = parent;
        }
        place(node, index);
    }

    private void siftDown(N node) {
        int index = ((Node) node).index;
        while (2 * index + 1 < size) {
            int child = 2 * index + 1;
            if (child + 1 < size && before(at(child + 1), at(child))) {
                child++;
            }
            if (!before(at(child), node)) {
                break;
            }
            place(at(child), index);
            index = child;
        }
        place(node, index);
    }
}
