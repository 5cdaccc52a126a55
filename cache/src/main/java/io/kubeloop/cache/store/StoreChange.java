package io.kubeloop.cache.store;

/**
 * One step of a {@linkplain ThreadSafeStore#transact transaction} (upstream: {@code cache.Transaction}).
 *
 * @param <T> the type of the object
 */
public sealed interface StoreChange<T> {

    /** Returns the object. For a removal, only its key and its resource version matter. */
    T object();

    /**
     * Stores the object, and replaces an object with the same key.
     *
     * @param object the object to store
     * @param <T> the type of the object
     */
    record Put<T>(T object) implements StoreChange<T> {}

    /**
     * Removes the object with the same key, if there is one.
     *
     * @param object has the key, and the resource version of the deletion
     * @param <T> the type of the object
     */
    record Remove<T>(T object) implements StoreChange<T> {}
}
