package io.kubeloop.cache;

import io.kubeloop.api.ObjectName;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A lister on a store with the namespace index (LI-02). Thread-safe: the store is. */
final class StoreLister<T> implements Lister<T> {

    private final ThreadSafeStore<ObjectName, T> store;

    StoreLister(ThreadSafeStore<ObjectName, T> store) {
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
