package io.kubeloop.cache.queue;

/** What happened to an object (upstream: {@code cache.DeltaType}, DF-02). */
public enum DeltaType {
    /** A watch said that it appeared. */
    ADDED,
    /** A watch said that it changed. */
    UPDATED,
    /** A watch said that it is gone, or a list did not have it any more. */
    DELETED,
    /** A list had it. */
    REPLACED,
    /** Nothing happened: it is shown again from the store. */
    SYNC
}
