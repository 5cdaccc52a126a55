/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.cache.store;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A change of one key in a {@link StoreTransaction}. Not thread-safe. */
final class KeyChange<K, T> {

    final K key;
    final @Nullable T before;

    @Nullable
    T after;

    /** For each index, the values before the change and then the values after it. */
    private final @Nullable List<String>[] values;

    /** The next change of the transaction. */
    @Nullable
    KeyChange<K, T> next;

    @SuppressWarnings({"unchecked", "rawtypes"}) // arrays have no type parameters
    KeyChange(K key, @Nullable T before, int indices) {
        this.key = key;
        this.before = before;
        this.values = new List[2 * indices];
    }

    /** Returns the index values of the previous object; null if the index function failed on it. */
    @Nullable
    List<String> valuesBefore(int index) {
        return values[2 * index];
    }

    /** Returns the index values of the new object; null if the index function failed on it. */
    @Nullable
    List<String> valuesAfter(int index) {
        return values[2 * index + 1];
    }

    void valuesBefore(int index, @Nullable List<String> found) {
        values[2 * index] = found;
    }

    void valuesAfter(int index, @Nullable List<String> found) {
        values[2 * index + 1] = found;
    }
}
