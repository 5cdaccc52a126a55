package io.kubeloop.workqueue;

import java.util.Arrays;
import java.util.Comparator;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A binary heap that knows where each of its nodes stands, so that a node whose order changed is moved, or removed, in
 * O(log n) and nothing stale stays behind; {@link java.util.PriorityQueue} would search for it, or keep it. Not
 * thread-safe: confined to the lock of its owner.
 *
 * @param <N> the type of the nodes, each in one heap at most
 */
final class IndexedHeap<N extends IndexedHeap.Node> {

    /** Something that can stand in a heap. */
    abstract static class Node {
        private int index = -1;

        /** Returns whether it stands in a heap. */
        final boolean isInHeap() {
            return index >= 0;
        }
    }

    private final Comparator<? super N> order;

    private @Nullable Node[] nodes = new Node[16];

    private int size;

    /** Makes an empty heap; the first node in this order comes out first. */
    IndexedHeap(Comparator<? super N> order) {
        this.order = order;
    }

    boolean isEmpty() {
        return size == 0;
    }

    int size() {
        return size;
    }

    /** Returns the first node; the heap is not empty. */
    N first() {
        return at(0);
    }

    /** Puts in a node that is in no heap. O(log n). */
    void push(N node) {
        if (size == nodes.length) {
            nodes = Arrays.copyOf(nodes, size * 2);
        }
        place(node, size++);
        siftUp(node);
    }

    /** Takes out the first node; the heap is not empty. O(log n). */
    N pop() {
        N first = first();
        remove(first);
        return first;
    }

    /** Takes out a node that is in this heap. O(log n). */
    void remove(N node) {
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

    /** Moves a node that is in this heap to where it belongs after its order changed. O(log n). */
    void update(N node) {
        siftUp(node);
        siftDown(node);
    }

    @SuppressWarnings("unchecked") // Only place puts something in, and that is an N.
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
