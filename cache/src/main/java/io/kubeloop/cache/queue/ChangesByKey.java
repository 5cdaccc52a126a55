/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.cache.queue;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A multimap from keys to their changes: the keys in the order of their first change, the changes of a key oldest
 * first. A key without changes is not in it. Not thread-safe: guarded by the lock of its queue.
 *
 * <p>Keys with equal hash codes form a chain, which a lookup searches. A lookup is O(1) if hash codes differ.
 *
 * @param <K> the type of the keys
 * @param <T> the type of the objects
 */
final class ChangesByKey<K, T> {

    /*
     * A LinkedHashMap of lists allocates 120 bytes for a key with one change, in addition to the change. Here one node
     * holds the links of the order and of the hash chain, and the first change. A removed node is reused, with its
     * array, for the next key. So this class allocates nothing for a change that passes through the queue.
     */

    /** The maximum number of removed nodes that are kept for reuse. */
    private static final int SPARE_NODES = 1000;

    /** The maximum total length of the arrays of the removed nodes. */
    private static final int SPARE_PLACES = 4096;

    /** The length above which an empty table is replaced by a short one. */
    private static final int LARGEST_KEPT = 4096;

    private static final int INITIAL = 16;

    /** The changes of one key. */
    private static final class Changes<K, T> {
        private static final Delta<?, ?>[] NONE = {};

        int hash;

        @Nullable
        Changes<K, T> chain;

        @Nullable
        Changes<K, T> after;

        /** Null in a spare node. Most keys have one change, and need no array. */
        @Nullable
        Delta<K, T> first;

        /** The changes after the first. */
        @Nullable
        Delta<?, ?>[] more = NONE;

        int count;

        @SuppressWarnings("unchecked") // only append stores changes, and those are of this type
        Delta<K, T> get(int index) {
            return (Delta<K, T>) Objects.requireNonNull(index == 0 ? first : more[index - 1]);
        }

        K key() {
            return get(0).key();
        }

        Delta<K, T> newest() {
            return get(count - 1);
        }

        void append(Delta<K, T> delta) {
            if (count == 0) {
                first = delta;
            } else {
                if (count > more.length) {
                    more = Arrays.copyOf(more, Math.max(2, more.length * 2));
                }
                more[count - 1] = delta;
            }
            count++;
        }

        void replaceNewest(Delta<K, T> delta) {
            if (count == 1) {
                first = delta;
            } else {
                more[count - 2] = delta;
            }
        }
    }

    private @Nullable Changes<K, T>[] table = newTable(INITIAL);
    private int size;
    private @Nullable Changes<K, T> oldest;
    private @Nullable Changes<K, T> newest;

    private @Nullable Changes<K, T> spare;
    private int spareNodes;
    private int sparePlaces;

    /** Returns the number of keys. */
    int size() {
        return size;
    }

    boolean isEmpty() {
        return size == 0;
    }

    boolean contains(K key) {
        return find(key) != null;
    }

    /** Returns the newest change of the key, or null. */
    @Nullable
    Delta<K, T> newest(K key) {
        Changes<K, T> changes = find(key);
        return changes == null ? null : changes.newest();
    }

    /** Appends a change. Of two adjacent deletions, the observed one stays, otherwise the newer. */
    void append(Delta<K, T> delta) {
        Changes<K, T> changes = find(delta.key());
        if (changes == null) {
            makeRoom(size + 1);
            Changes<K, T> added = takeSpare();
            added.hash = hash(delta.key());
            added.append(delta);
            link(added);
        } else if (!delta.isDeletion() || !changes.newest().isDeletion()) {
            changes.append(delta);
        } else if (changes.newest().finalStateUnknown()) {
            changes.replaceNewest(delta);
        }
    }

    /** Calls the action with every key, oldest first. O(n). */
    void forEachKey(Consumer<? super K> action) {
        for (Changes<K, T> changes = oldest; changes != null; changes = changes.after) {
            action.accept(changes.key());
        }
    }

    /** Copies the changes of the oldest keys to a list. */
    void copyOldest(int keys, List<Delta<K, T>> list) {
        Changes<K, T> changes = oldest;
        for (int i = 0; i < keys && changes != null; i++) {
            for (int c = 0; c < changes.count; c++) {
                list.add(changes.get(c));
            }
            changes = changes.after;
        }
    }

    /** Moves the oldest keys to the end of another object, which holds none of them. */
    void moveOldest(int keys, ChangesByKey<K, T> target) {
        target.makeRoom(target.size + keys);
        for (int i = 0; i < keys && oldest != null; i++) {
            Changes<K, T> moved = oldest;
            unchain(moved);
            oldest = moved.after;
            size--;
            target.link(moved);
        }
        if (oldest == null) {
            newest = null;
        }
    }

    /** Removes all keys. */
    void clear() {
        Changes<K, T> next;
        for (Changes<K, T> changes = oldest; changes != null; changes = next) {
            next = changes.after;
            table[changes.hash & table.length - 1] = null;
            recycle(changes);
        }
        oldest = null;
        newest = null;
        size = 0;
        if (table.length > LARGEST_KEPT) {
            table = newTable(INITIAL); // frees the table of a burst; the last step, since it allocates
        }
    }

    private @Nullable Changes<K, T> find(K key) {
        int hash = hash(key);
        for (Changes<K, T> changes = table[hash & table.length - 1]; changes != null; changes = changes.chain) {
            if (changes.hash == hash && changes.key().equals(key)) {
                return changes;
            }
        }
        return null;
    }

    private void link(Changes<K, T> added) {
        chain(table, added);
        added.after = null;
        if (newest == null) {
            oldest = added;
        } else {
            newest.after = added;
        }
        newest = added;
        size++;
    }

    private void unchain(Changes<K, T> removed) {
        int at = removed.hash & table.length - 1;
        Changes<K, T> before = table[at];
        if (before == removed) {
            table[at] = removed.chain;
            return;
        }
        while (before != null) {
            if (before.chain == removed) {
                before.chain = removed.chain;
                return;
            }
            before = before.chain;
        }
    }

    private Changes<K, T> takeSpare() {
        Changes<K, T> taken = spare;
        if (taken == null) {
            return new Changes<>();
        }
        spare = taken.after;
        spareNodes--;
        sparePlaces -= taken.more.length;
        return taken;
    }

    private void recycle(Changes<K, T> removed) {
        if (spareNodes == SPARE_NODES) {
            return;
        }
        if (sparePlaces + removed.more.length > SPARE_PLACES) {
            removed.more = Changes.NONE;
        } else if (removed.count > 1) {
            Arrays.fill(removed.more, 0, removed.count - 1, null);
        }
        removed.first = null;
        removed.count = 0;
        removed.chain = null;
        removed.after = spare;
        spare = removed;
        spareNodes++;
        sparePlaces += removed.more.length;
    }

    private void makeRoom(int keys) {
        int length = table.length;
        while (keys > length - length / 4) {
            length *= 2;
        }
        if (length > table.length) {
            @Nullable Changes<K, T>[] wider = newTable(length);
            for (Changes<K, T> changes = oldest; changes != null; changes = changes.after) {
                chain(wider, changes);
            }
            table = wider;
        }
    }

    private static <K, T> void chain(@Nullable Changes<K, T>[] table, Changes<K, T> added) {
        int at = added.hash & table.length - 1;
        added.chain = table[at];
        table[at] = added;
    }

    private static int hash(Object key) {
        int hash = key.hashCode();
        return hash ^ hash >>> 16;
    }

    @SuppressWarnings("unchecked") // an array of a generic type can be made only in this way
    private static <K, T> @Nullable Changes<K, T>[] newTable(int length) {
        return (Changes<K, T>[]) new Changes<?, ?>[length];
    }
}
