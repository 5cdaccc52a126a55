package io.kubeloop.cache.store;

import io.kubeloop.cache.Store;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A store that passes its whole content to a consumer after every write (upstream: {@code cache.UndeltaStore}), for
 * programs that need the state and not the changes.
 *
 * <p>Thread-safe. The writing thread calls the consumer, outside every lock. If two threads write at once, both calls
 * may carry the state with both writes, the calls may overlap, and the last call may carry the older state. Callers
 * with several writers must serialize the writes; a reflector is a single writer. Reads do not call the consumer.
 *
 * @param <K> the type of the keys
 * @param <T> the type of the objects
 */
public final class UndeltaStore<K extends Comparable<? super K>, T> implements Store<K, T> {

    private final ThreadSafeStore<K, T> store;
    private final Consumer<? super List<T>> push;

    /**
     * Makes an empty store.
     *
     * @param keyOf returns an object's key; throws if it has none
     * @param versionOf returns an object's resource version; empty if it has none
     * @param push receives all objects in no particular order; its exceptions leave the write, which has taken effect
     */
    public UndeltaStore(
            Function<? super T, ? extends K> keyOf,
            Function<? super T, String> versionOf,
            Consumer<? super List<T>> push) {
        this.store = new ThreadSafeStore<>(keyOf, versionOf);
        this.push = push;
    }

    /** Stores the object, then calls the consumer. O(n). */
    @Override
    public void add(T object) {
        store.add(object);
        push.accept(store.list());
    }

    /** Stores the object, then calls the consumer. O(n). */
    @Override
    public void update(T object) {
        add(object);
    }

    /** Removes the object, then calls the consumer, whether or not the object was stored. O(n). */
    @Override
    public void delete(T object) {
        store.delete(object);
        push.accept(store.list());
    }

    /** Replaces the content, then calls the consumer. O(n). */
    @Override
    public void replace(Collection<? extends T> objects, String resourceVersion) {
        store.replace(objects, resourceVersion);
        push.accept(store.list());
    }

    @Override
    public @Nullable T get(T object) {
        return store.get(object);
    }

    @Override
    public @Nullable T getByKey(K key) {
        return store.getByKey(key);
    }

    @Override
    public List<T> list() {
        return store.list();
    }

    @Override
    public List<K> listKeys() {
        return store.listKeys();
    }

    @Override
    public int size() {
        return store.size();
    }

    @Override
    public String resourceVersion() {
        return store.resourceVersion();
    }
}
