package io.kubeloop.cache.queue;

/** The kind of a change (upstream: {@code cache.DeltaType}). */
public enum DeltaType {
    /** A watch delivered a new object. */
    ADDED,
    /** A watch delivered a changed object. */
    UPDATED,
    /** A watch delivered a deletion, or a list no longer has the object. */
    DELETED,
    /** A list contains the object. */
    REPLACED,
    /** Resync: the store passes the object on again. */
    SYNC
}
