package io.kubeloop.cache.store;

/**
 * One step of a {@linkplain ThreadSafeStore#transact transaction} (upstream: {@code cache.Transaction}).
 *
 * @param <T> the type of the object
 */
sealed interface StoreChange<T> {

    /** Returns the object; of one that is to be removed, only key and resource version matter. */
    T object();

    /**
     * Stores the object, whether or not its key is taken.
     *
     * @param object what to store
     * @param <T> the type of the object
     */
    record Put<T>(T object) implements StoreChange<T> {}

    /**
     * Removes what is stored under the object's key, if anything is.
     *
     * @param object has the key, and the resource version of the deletion
     * @param <T> the type of the object
     */
    record Remove<T>(T object) implements StoreChange<T> {}
}
