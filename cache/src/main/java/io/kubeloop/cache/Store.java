package io.kubeloop.cache;

import io.kubeloop.cache.store.ExpirationStore;
import io.kubeloop.cache.store.UndeltaStore;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Holds objects by key (upstream: {@code cache.Store}). Thread-safe. Objects are shared, not copied, so they must not
 * be changed.
 *
 * @param <K> the type of the keys
 * @param <T> the type of the objects
 */
public interface Store<K, T> {

    /**
     * Returns an empty store that drops an object when a read finds it older than a time to live (upstream:
     * {@code cache.ExpirationCache}). Nothing runs in the background. {@link #size()} and {@link #listKeys()} count expired
     * objects until a read drops them.
     *
     * @param keyOf returns an object's key; throws if the object has none
     * @param versionOf returns an object's resource version; empty if it has none
     * @param timeToLive the age after which an object expires, counted from its last write; zero or less for never
     * @param nanoTime a clock in nanoseconds that never goes back, such as {@code System::nanoTime} or {@code timers::nanoTime}
     * @param <K> the type of the keys
     * @param <T> the type of the objects
     */
    static <K extends Comparable<? super K>, T> Store<K, T> expiring(
            Function<? super T, ? extends K> keyOf,
            Function<? super T, String> versionOf,
            Duration timeToLive,
            LongSupplier nanoTime) {
        return new ExpirationStore<>(keyOf, versionOf, timeToLive, nanoTime);
    }

    /**
     * Returns an empty store that passes its whole content to a consumer after every write (upstream:
     * {@code cache.UndeltaStore}).
     *
     * <p>The writing thread calls the consumer, and no lock is held. If two threads write at once, the calls may overlap, and
     * the last call may carry the older content; callers with several writers must serialize the writes.
     *
     * @param keyOf returns an object's key; throws if the object has none
     * @param versionOf returns an object's resource version; empty if it has none
     * @param push receives all objects in no particular order; its exceptions leave the write, which has taken effect
     * @param <K> the type of the keys
     * @param <T> the type of the objects
     */
    static <K extends Comparable<? super K>, T> Store<K, T> pushing(
            Function<? super T, ? extends K> keyOf,
            Function<? super T, String> versionOf,
            Consumer<? super List<T>> push) {
        return new UndeltaStore<>(keyOf, versionOf, push);
    }

    /**
     * Stores the object under its key, and replaces an object that is there.
     *
     * @throws KeyException if the object has no key
     * @throws IndexException if an index function fails; the object is stored, and only that index lacks it
     */
    void add(T object);

    /** Does the same as {@link #add}. */
    void update(T object);

    /**
     * Removes the object with this object's key. Has no effect if there is none.
     *
     * @throws KeyException if the object has no key
     */
    void delete(T object);

    /**
     * Returns the stored object with this object's key, or null.
     *
     * @throws KeyException if the object has no key
     */
    @Nullable
    T get(T object);

    /** Returns the stored object, or null. */
    @Nullable
    T getByKey(K key);

    /** Returns all objects, as one consistent snapshot in no particular order. O(n); copies. */
    List<T> list();

    /** Returns all keys, as one consistent snapshot in no particular order. O(n); copies. */
    List<K> listKeys();

    /**
     * Replaces the whole content in one step. If two objects have the same key, the later one is stored.
     *
     * @param resourceVersion the version of the list, which {@link #resourceVersion()} then returns
     * @throws KeyException if an object has no key; nothing is changed then
     * @throws IndexException if an index function fails; the objects are stored, and only that index lacks some
     */
    void replace(Collection<? extends T> objects, String resourceVersion);

    /** Returns the number of objects. */
    int size();

    /** Returns the resource version of the last write; empty if none is known. */
    String resourceVersion();
}
