/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.cache.store;

import io.kubeloop.api.ObjectName;
import io.kubeloop.cache.Indexers;
import io.kubeloop.cache.Lister;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A lister of a store that has the namespace index. Thread-safe, as is the store. */
public final class StoreLister<T> implements Lister<T> {

    private final ThreadSafeStore<ObjectName, T> store;

    public StoreLister(ThreadSafeStore<ObjectName, T> store) {
        this.store = store;
    }

    @Override
    public @Nullable T get(ObjectName name) {
        return store.getByKey(name);
    }

    @Override
    public List<T> list() {
        return store.list();
    }

    @Override
    public List<T> list(String namespace) {
        return namespace.isEmpty() ? store.list() : store.byIndex(Indexers.NAMESPACE, namespace);
    }
}
