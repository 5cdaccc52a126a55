/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.cache.store;

import io.kubeloop.runtime.collection.SeededHash;
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
     *
     * Keys whose hash codes a tenant has chosen to be equal make walks long. A table whose walks are longer than chance
     * permits moves its keys to `seeded`, an array by SeededHash, and `slots` stays empty from then on. A reader looks
     * into `slots` first: while it has the earlier array, it finds the earlier values.
     */

    private static final VarHandle SLOT = MethodHandles.arrayElementVarHandle(Object[].class);

    private static final int SMALLEST = 8;

    /** Among 100 million keys, chance makes no longer walk in an array that is half full. */
    private static final int LONGEST_WALK = 64;

    /** Replaced by the writer; volatile, so a later get() finds the later array. */
    private volatile @Nullable Object[] slots = new @Nullable Object[SMALLEST];

    /** Null unless walks were too long. Written by the writer, before it empties slots. */
    private volatile @Nullable Object @Nullable [] seeded;

    private int live;
    private int used;

    @Nullable
    @SuppressWarnings("unchecked") // slots holds values of this type
    V get(Object key) {
        @Nullable Object[] now = slots;
        int at = find(now, key, hash(key));
        return at < 0 ? getSeeded(key) : (V) SLOT.getAcquire(now, at + 1);
    }

    @Nullable
    @SuppressWarnings("unchecked") // seeded holds values of this type
    private V getSeeded(Object key) {
        @Nullable Object[] now = seeded;
        int at = now == null ? -1 : find(now, key, SeededHash.of(key));
        return at < 0 ? null : (V) SLOT.getAcquire(now, at + 1);
    }

    /** Returns the array that holds the keys. */
    private @Nullable Object[] current() {
        @Nullable Object[] now = seeded;
        return now == null ? slots : now;
    }

    int size() {
        return live;
    }

    /** Returns the number of keys, with removed ones, that fit into the array. */
    int capacity() {
        return current().length / 2;
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
        @Nullable Object[] now = current();
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
        @Nullable Object[] now = current();
        for (int i = 0; i < now.length; i += 2) {
            V value = (V) SLOT.getAcquire(now, i + 1);
            if (value != null) {
                action.accept((K) now[i], value);
            }
        }
    }

    /** Sets the value of the key. Keeps an equal key that is already there. O(1) amortized. */
    void put(K key, V value) {
        @Nullable Object[] now = slots;
        int at = find(now, key, hash(key));
        if (at < 0 && seeded != null) {
            now = seeded;
            at = find(now, key, SeededHash.of(key));
        }
        if (at >= 0) {
            live += now[at + 1] == null ? 1 : 0;
            SLOT.setRelease(now, at + 1, value);
        } else if (makeRoom(key, ~at)) {
            put(key, value);
        } else {
            SLOT.setRelease(now, ~at + 1, value); // before its key, at which a reader looks first
            SLOT.setRelease(now, ~at, key);
            used++;
            live++;
        }
    }

    /** Removes the value of the key. Has no effect if there is none. */
    void remove(Object key) {
        @Nullable Object[] now = slots;
        int at = find(now, key, hash(key));
        if (at < 0 && seeded != null) {
            now = seeded;
            at = find(now, key, SeededHash.of(key));
        }
        if (at >= 0) {
            live -= now[at + 1] == null ? 0 : 1;
            SLOT.setRelease(now, at + 1, null);
        }
    }

    /** Replaces the array if it is full, or the walk to a new key too long. Returns whether it did. */
    private boolean makeRoom(K key, int at) {
        boolean isFull = 4 * (used + 1) > 3 * capacity();
        boolean isTooLong = seeded == null && walk(hash(key), at) > LONGEST_WALK && SeededHash.appliesTo(key);
        if (isFull || isTooLong) {
            rebuild(seeded != null || (isTooLong && 2 * used <= capacity()));
        }
        return isFull || isTooLong;
    }

    private int walk(int hash, int at) {
        return (at - (hash << 1) & slots.length - 1) / 2;
    }

    /** Replaces the array by one without removed keys, at most half full. */
    private void rebuild(boolean bySeed) {
        @Nullable Object[] before = current();
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
                int at = ~find(after, key, bySeed ? SeededHash.of(key) : hash(key));
                after[at] = key;
                after[at + 1] = before[i + 1];
            }
        }
        used = kept;
        if (!bySeed) {
            slots = after;
        } else {
            boolean isFirst = seeded == null;
            seeded = after;
            slots = isFirst ? new @Nullable Object[SMALLEST] : slots;
        }
    }

    /** Returns the position of the key, or the complement of the position at which it would be. */
    private static int find(@Nullable Object[] in, Object key, int hash) {
        int last = in.length - 1;
        int at = hash << 1 & last;
        for (; ; ) {
            Object found = SLOT.getAcquire(in, at);
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
