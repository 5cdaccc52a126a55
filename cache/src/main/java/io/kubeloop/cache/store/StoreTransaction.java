/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.cache.store;

import io.kubeloop.cache.IndexException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Changes of a {@link ThreadSafeStore} that become visible together. Confined to one thread.
 *
 * <p>The index functions run while the transaction is built, before {@link ThreadSafeStore#tryCommit}. So no user code
 * runs under the lock of the store.
 */
public final class StoreTransaction<K extends Comparable<? super K>, T> {

    /** The number of changes up to which a search is faster than a map in finding the earlier change of a key. */
    private static final int FEW = 8;

    private final StoreContent<K, T> base;
    private final long commits;

    /** The new content, if the transaction began without objects; changes are made there at once. */
    private final @Nullable StoreContent<K, T> rebuilt;

    private @Nullable KeyChange<K, T> first;
    private @Nullable KeyChange<K, T> last;
    private int size;
    private @Nullable Map<K, KeyChange<K, T>> byKey;
    private @Nullable String resourceVersion;
    private @Nullable IndexException indexFailure;

    /** @param commits the number of commits before it; one more by another thread prevents this one */
    StoreTransaction(StoreContent<K, T> base, long commits, @Nullable StoreContent<K, T> rebuilt) {
        this.base = base;
        this.commits = commits;
        this.rebuilt = rebuilt;
    }

    /** Stores the object. Returns the previous object of this transaction, or null. */
    @Nullable
    public T put(K key, T object) {
        return set(key, object);
    }

    /** Removes the object. Returns it, or null. */
    @Nullable
    public T remove(K key) {
        return set(key, null);
    }

    @Nullable
    public T get(K key) {
        if (rebuilt != null) {
            return rebuilt.items().get(key);
        }
        KeyChange<K, T> change = find(key);
        return change == null ? base.items().get(key) : change.after;
    }

    /** Returns the object that the store had when the transaction began, or null. */
    @Nullable
    public T stored(K key) {
        return base.items().get(key);
    }

    /** Calls the action with each object that the store had when the transaction began. O(n). */
    public void forEachStored(BiConsumer<? super K, ? super T> action) {
        base.items().forEach(action);
    }

    public void resourceVersion(String version) {
        resourceVersion = version;
    }

    /** Returns the number of the commit that publishes it. */
    public long commit() {
        return commits + 1;
    }

    /** Returns the last failure of an index function, or null. */
    @Nullable
    public IndexException indexFailure() {
        return indexFailure;
    }

    boolean isCurrent(StoreContent<K, T> content, long now) {
        return content == base && now == commits;
    }

    @Nullable
    String resourceVersion() {
        return resourceVersion;
    }

    /** Makes the changes, and returns the content with them. */
    StoreContent<K, T> apply() {
        if (rebuilt != null) {
            return rebuilt;
        }
        for (KeyChange<K, T> change = first; change != null; change = change.next) {
            base.apply(change);
        }
        return base;
    }

    private @Nullable T set(K key, @Nullable T object) {
        StoreContent<K, T> content = rebuilt == null ? base : rebuilt;
        KeyChange<K, T> change = rebuilt == null ? find(key) : null;
        T before = change == null ? content.items().get(key) : change.after;
        if (before == null && object == null) {
            return null;
        }
        if (change == null) {
            change = new KeyChange<>(key, before, content.indices().size());
            for (int i = 0; i < content.indices().size(); i++) {
                change.valuesBefore(i, valuesOf(content.indices().get(i), key, before));
            }
            if (rebuilt == null) {
                append(change);
            }
        }
        change.after = object;
        for (int i = 0; i < content.indices().size(); i++) {
            change.valuesAfter(i, valuesOf(content.indices().get(i), key, object));
        }
        if (rebuilt != null) {
            rebuilt.apply(change);
        }
        return before;
    }

    /** Adds a stored object to the indices that are not complete yet. */
    void fillNewIndices(K key, T object) {
        KeyChange<K, T> change = new KeyChange<>(key, object, base.indices().size());
        change.after = object;
        for (int i = 0; i < base.indices().size(); i++) {
            StoreContent.Index<K, T> index = base.indices().get(i);
            change.valuesBefore(i, List.of());
            change.valuesAfter(i, index.complete() ? List.of() : valuesOf(index, key, object));
        }
        append(change);
    }

    private void append(KeyChange<K, T> change) {
        if (last == null) {
            first = change;
        } else {
            last.next = change;
        }
        last = change;
        size++;
        if (byKey != null) {
            byKey.put(change.key, change);
        } else if (size > FEW) {
            byKey = new HashMap<>();
            for (KeyChange<K, T> each = first; each != null; each = each.next) {
                byKey.put(each.key, each);
            }
        }
    }

    private @Nullable KeyChange<K, T> find(K key) {
        if (byKey != null) {
            return byKey.get(key);
        }
        KeyChange<K, T> change = first;
        while (change != null && !change.key.equals(key)) {
            change = change.next;
        }
        return change;
    }

    /** Returns the values; null, and remembers the failure, if the function failed. */
    private @Nullable List<String> valuesOf(StoreContent.Index<K, T> index, K key, @Nullable T object) {
        if (object == null) {
            return List.of();
        }
        try {
            List<String> values = index.function().apply(object);
            if (values != null) {
                return List.copyOf(values); // throws if a value is null
            }
            indexFailure = new IndexException("index \"" + index.name() + "\" returned null for " + key, null);
        } catch (Throwable e) {
            // An exception or error removes one object from this index. It must not prevent the whole batch.
            indexFailure = new IndexException("index \"" + index.name() + "\" failed on " + key, e);
        }
        return null;
    }
}
