/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.cache.queue;

import io.kubeloop.cache.Store;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The stored objects that a {@link DeltaFifo} compares with a list to find deletions (upstream: {@code
 * KeyListerGetter}). Called under the queue's lock, so the methods must not block.
 *
 * @param <K> the type of the keys
 * @param <T> the type of the objects
 */
public interface KnownObjects<K, T> {

    /** Returns all keys. */
    List<K> keys();

    /** Returns the object, or null. An exception counts as an object with unknown state. */
    @Nullable
    T get(K key);

    /** Returns a view of a store. */
    static <K, T> KnownObjects<K, T> of(Store<K, T> store) {
        return new KnownObjects<>() {
            @Override
            public List<K> keys() {
                return store.listKeys();
            }

            @Override
            public @Nullable T get(K key) {
                return store.getByKey(key);
            }
        };
    }
}
