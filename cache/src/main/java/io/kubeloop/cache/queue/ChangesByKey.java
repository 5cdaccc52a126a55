/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.cache.queue;

import io.kubeloop.runtime.collection.ItemTable;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A multimap from keys to their changes: the keys in the order of their first change, the changes of a key oldest
 * first. A key without changes is not in it. Not thread-safe: guarded by the lock of its queue. A lookup is O(1).
 *
 * @param <K> the type of the keys
 * @param <T> the type of the objects
 */
final class ChangesByKey<K, T> {

    /*
     * A LinkedHashMap of lists allocates 120 bytes for a key with one change, in addition to the change. Here the node
     * of the table holds the link of the order and the first change, and serves the next key with its array. So this
     * class allocates nothing for a change that passes through the queue.
     */

    /** The maximum total length of the arrays that removed nodes keep. */
    private static final int KEPT_PLACES = 4096;

    /** The changes of one key. */
    private static final class Changes<K, T> extends ItemTable.Node<K> {
        private static final Delta<?, ?>[] NONE = {};

        /** The next key in the order of the first changes. */
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

        void clear(int mostPlaces) {
            if (more.length > mostPlaces) {
                more = NONE;
            } else if (count > 1) {
                Arrays.fill(more, 0, count - 1, null);
            }
            first = null;
            after = null;
            count = 0;
        }
    }

    private final ItemTable<K, Changes<K, T>> byKey = new ItemTable<>(Changes::new);
    private @Nullable Changes<K, T> oldest;
    private @Nullable Changes<K, T> newest;
    private int keptPlaces;

    /** Returns the number of keys. */
    int size() {
        return byKey.size();
    }

    boolean isEmpty() {
        return byKey.isEmpty();
    }

    boolean contains(K key) {
        return byKey.get(key) != null;
    }

    /** Returns the newest change of the key, or null. */
    @Nullable
    Delta<K, T> newest(K key) {
        Changes<K, T> changes = byKey.get(key);
        return changes == null ? null : changes.newest();
    }

    /** Appends a change. Of two adjacent deletions, the observed one stays, otherwise the newer. */
    void append(Delta<K, T> delta) {
        Changes<K, T> changes = byKey.get(delta.key());
        if (changes == null) {
            addKey(delta.key()).append(delta);
        } else if (!delta.isDeletion() || !changes.newest().isDeletion()) {
            changes.append(delta);
        } else if (changes.newest().finalStateUnknown()) {
            changes.replaceNewest(delta);
        }
    }

    private Changes<K, T> addKey(K key) {
        Changes<K, T> added = byKey.add(key);
        keptPlaces -= added.more.length;
        if (newest == null) {
            oldest = added;
        } else {
            newest.after = added;
        }
        newest = added;
        return added;
    }

    /** Calls the action with every key, oldest first. O(n). */
    void forEachKey(Consumer<? super K> action) {
        for (Changes<K, T> changes = oldest; changes != null; changes = changes.after) {
            action.accept(changes.item());
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
        for (int i = 0; i < keys && oldest != null; i++) {
            Changes<K, T> copy = target.addKey(oldest.item());
            for (int c = 0; c < oldest.count; c++) {
                copy.append(oldest.get(c));
            }
            removeOldest(oldest);
        }
    }

    /** Removes all keys. */
    void clear() {
        while (oldest != null) {
            removeOldest(oldest);
        }
    }

    private void removeOldest(Changes<K, T> removed) {
        oldest = removed.after;
        newest = oldest == null ? null : newest;
        removed.clear(KEPT_PLACES - keptPlaces);
        if (byKey.remove(removed)) {
            keptPlaces += removed.more.length;
        }
    }
}
