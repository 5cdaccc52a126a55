package io.kubeloop.workqueue.collection;

import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A first-in, first-out line that releases its memory after a burst. Not thread-safe: confined to the lock of its owner.
 *
 * <p>Every step is O(1), apart from a push that grows an array, which is O(1) amortized. If memory is too short to grow,
 * the push throws and the line is as it was. {@link java.util.ArrayDeque} looks empty after such a failure, and its
 * array never shrinks.
 *
 * @param <E> the type of the elements
 */
public final class ShrinkingFifo<E> {

    // Two arrays: elements arrive in one and leave from the other, which are swapped when `leaving` is used up.
    // Slots from leavingSize (arrivedSize) on, and those before next, are null; so a swap has nothing to clear.

    private static final int INITIAL = 10;

    /** An array of this length or less is kept. */
    static final int LARGEST_KEPT = 1024;

    private @Nullable Object[] arrived = new Object[INITIAL];
    private int arrivedSize;
    private @Nullable Object[] leaving = new Object[INITIAL];
    private int leavingSize;
    private int next;

    /** How many elements the array `arrived` held when it was last used. */
    private int lastUse;

    /** Makes an empty line. */
    public ShrinkingFifo() {}

    /** Appends an element. */
    public void push(E element) {
        if (arrivedSize == arrived.length) {
            arrived = Arrays.copyOf(arrived, arrivedSize + (arrivedSize >> 1));
        } else if (arrivedSize == 0 && arrived.length > LARGEST_KEPT && lastUse < arrived.length / 8) {
            // Here, and not in pop: if memory is too short for the new array, only this push fails.
            arrived = new Object[INITIAL];
        }
        arrived[arrivedSize++] = element;
    }

    /** Removes and returns the first element; the line must not be empty. */
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

    /** Returns the length of both arrays together. */
    int capacity() {
        return arrived.length + leaving.length;
    }
}
