/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.workqueue.collection;

import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A first-in, first-out queue that releases its memory after a burst. Not thread-safe: guarded by the lock of its
 * owner.
 *
 * <p>Every operation is O(1); a push that grows an array is O(1) amortized. If memory is too short to grow, the push
 * throws and the queue does not change. An {@link java.util.ArrayDeque} appears empty after such a failure, and its
 * array never shrinks.
 *
 * @param <E> the type of the elements
 */
public final class ShrinkingFifo<E> {

    /*
     * Two arrays: push appends to `arrived`, pop takes from `leaving`. They are swapped when `leaving` is used up.
     * Invariant: in `arrived` the slots from arrivedSize on are null. In `leaving` the slots before `next` and from
     * leavingSize on are null, so a swap has nothing to clear.
     */

    private static final int INITIAL = 10;

    /** An array of at most this length is kept. */
    static final int LARGEST_KEPT = 1024;

    private @Nullable Object[] arrived = new Object[INITIAL];
    private int arrivedSize;
    private @Nullable Object[] leaving = new Object[INITIAL];
    private int leavingSize;
    private int next;

    /** The number of elements in the array `arrived` when it was last used. */
    private int lastUse;

    /** Creates an empty queue. */
    public ShrinkingFifo() {}

    /** Appends an element. */
    public void push(E element) {
        if (arrivedSize == arrived.length) {
            arrived = Arrays.copyOf(arrived, arrivedSize + (arrivedSize >> 1));
        } else if (arrivedSize == 0 && arrived.length > LARGEST_KEPT && lastUse < arrived.length / 8) {
            // Shrinks in push and not in pop: if memory is too short for the new array, only this push fails.
            arrived = new Object[INITIAL];
        }
        arrived[arrivedSize++] = element;
    }

    /** Removes and returns the first element; the queue must not be empty. */
    @SuppressWarnings("unchecked") // only push stores elements, and those are of type E
    public E pop() {
        if (next == leavingSize) {
            @Nullable Object[] used = leaving;
            lastUse = leavingSize;
            leaving = arrived;
            leavingSize = arrivedSize;
            arrived = used;
            arrivedSize = 0;
            next = 0;
        }
        Object element = Objects.requireNonNull(leaving[next]);
        leaving[next++] = null;
        return (E) element;
    }

    /** Returns the number of elements. */
    public int size() {
        return arrivedSize + leavingSize - next;
    }

    /** Returns the total length of both arrays. */
    int capacity() {
        return arrived.length + leaving.length;
    }
}
