package io.kubeloop.cache;

/**
 * A handler's place in an informer. Thread-safe.
 */
public interface Registration extends AutoCloseable {

    /** Returns whether the handler has been told of everything in the first list; once true, always true (I5). */
    boolean hasSynced();

    /** Returns how many notifications wait for the handler. */
    int pending();

    /** Removes the handler; it is told nothing more once its current call has returned. Safe to call twice. */
    @Override
    void close();
}
