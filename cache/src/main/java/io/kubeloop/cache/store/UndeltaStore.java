package io.kubeloop.cache.store;

import io.kubeloop.cache.Store;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A store that hands out its whole content after every write (upstream: {@code cache.UndeltaStore}; UD-01): for those who
 * want the state and not the changes.
 *
 * <p>Thread-safe. The content is pushed by whoever wrote, outside every lock: two writers at a time may both push the state
 * that both have made, the pushes may overlap, and the last one may be of the older state. Who has several writers serializes
 * them, as a reflector does by being one. Reading pushes nothing.
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
     * @param push takes the whole content, in no particular order; what it throws comes out of the write, which has happened
     */
    public UndeltaStore(
            Function<? super T, ? extends K> keyOf,
            Function<? super T, String> versionOf,
            Consumer<? super List<T>> push) {
        this.store = new ThreadSafeStore<>(keyOf, versionOf);
        this.push = push;
    }

    /** Stores the object, and pushes. O(n). */
    @Override
    public void add(T object) {
        store.add(object);
        push.accept(store.list());
    }

    /** Stores the object, and pushes. O(n). */
    @Override
    public void update(T object) {
        add(object);
    }

    /** Removes the object, and pushes, whether or not there was one. O(n). */
    @Override
    public void delete(T object) {
        store.delete(object);
        push.accept(store.list());
    }

    /** Replaces the content, and pushes. O(n). */
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
