/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.cache.store;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A hash table in one flat array that is written in place. A change of a present key allocates nothing.
 *
 * <p>One thread may write at a time, under the lock of the store. Any thread may call {@link #get} at any time; it
 * never waits. Callers of the other reads must check afterwards, with the lock, that no write overlapped the read. The
 * result of an overlapped read must be dropped.
 *
 * @param <K> the type of the keys
 * @param <V> the type of the values
 */
final class FlatTable<K, V> {

    /*
     * slots holds key, value, key, value ..., with linear probing. A key never moves within its array and is never
     * erased, so a reader that walks the array finds it: a removed key has the value null. A larger array, without the
     * removed keys, replaces a full one. At most three quarters of an array are keys, so each walk ends.
     */

    private static final VarHandle SLOT = MethodHandles.arrayElementVarHandle(Object[].class);

    private static final int SMALLEST = 8;

    /** Replaced by the writer; volatile, so that a later get() finds the later array. */
    private volatile @Nullable Object[] slots = new @Nullable Object[SMALLEST];

    private int live;
    private int used;

    @Nullable
    @SuppressWarnings("unchecked") // slots holds values of this type
    V get(Object key) {
        @Nullable Object[] now = slots;
        int at = find(now, key);
        return at < 0 ? null : (V) SLOT.getAcquire(now, at + 1);
    }

    int size() {
        return live;
    }

    /** Returns the number of keys, with removed ones, that fit into the array. */
    int capacity() {
        return slots.length / 2;
    }

    /** Returns the values in no particular order, as an immutable list. O(n). */
    List<V> values() {
        return elements(1);
    }

    /** Returns the keys in no particular order, as an immutable list. O(n). */
    List<K> keys() {
        return elements(0);
    }

    @SuppressWarnings("unchecked") // slots holds keys and values of these types
    private <E> List<E> elements(int offset) {
        @Nullable Object[] now = slots;
        @Nullable Object[] found = new @Nullable Object[live];
        int next = 0;
        for (int i = 0; i < now.length && next < found.length; i += 2) {
            if (now[i + 1] != null) {
                found[next++] = now[i + offset];
            }
        }
        return (List<E>) Collections.unmodifiableList(Arrays.asList(found));
    }

    /** Calls the action with every entry, in no particular order. O(n). */
    @SuppressWarnings("unchecked") // slots holds keys and values of these types
    void forEach(BiConsumer<? super K, ? super V> action) {
        @Nullable Object[] now = slots;
        for (int i = 0; i < now.length; i += 2) {
            V value = (V) SLOT.getAcquire(now, i + 1);
            if (value != null) {
                action.accept((K) now[i], value);
            }
        }
    }

    /** Sets the value of the key. Keeps an equal key that is already there. */
    void put(K key, V value) {
        int at = find(slots, key);
        if (at >= 0) {
            live += slots[at + 1] == null ? 1 : 0;
            SLOT.setRelease(slots, at + 1, value);
            return;
        }
        if (4 * (used + 1) > 3 * capacity()) {
            grow();
            at = find(slots, key);
        }
        SLOT.setRelease(slots, ~at + 1, value); // before its key, at which a reader looks first
        SLOT.setRelease(slots, ~at, key);
        used++;
        live++;
    }

    /** Removes the value of the key. Has no effect if there is none. */
    void remove(Object key) {
        int at = find(slots, key);
        if (at >= 0) {
            if (slots[at + 1] != null) {
                live--;
            }
            SLOT.setRelease(slots, at + 1, null);
        }
    }

    /** Replaces the array by one without removed keys, at most half full. */
    private void grow() {
        @Nullable Object[] before = slots;
        int kept = 0;
        for (int i = 1; i < before.length; i += 2) {
            kept += before[i] == null ? 0 : 1;
        }
        int length = SMALLEST;
        while (length < 4 * (kept + 1)) {
            length *= 2;
        }
        @Nullable Object[] after = new @Nullable Object[length];
        for (int i = 0; i < before.length; i += 2) {
            Object key = before[i];
            if (key != null && before[i + 1] != null) {
                int at = ~find(after, key);
                after[at] = key;
                after[at + 1] = before[i + 1];
            }
        }
        used = kept;
        slots = after;
    }

    /** Returns the position of the key, or the complement of the position at which it would be. */
    private static int find(@Nullable Object[] slots, Object key) {
        int last = slots.length - 1;
        int at = hash(key) << 1 & last;
        for (; ; ) {
            Object found = SLOT.getAcquire(slots, at);
            if (found == null) {
                return ~at;
            }
            if (found == key || found.equals(key)) {
                return at;
            }
            at = at + 2 & last;
        }
    }

    /**
     * Mixes the high bits of the hash into the low ones, which decide the position. Hashes of strings differ least in
     * the low bits.
     */
    private static int hash(Object key) {
        int h = key.hashCode() * 0x9E3779B9;
        return h ^ h >>> 15;
    }
}
