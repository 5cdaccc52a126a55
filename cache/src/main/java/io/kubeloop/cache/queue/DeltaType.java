/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.cache.queue;

/** The kind of a change (upstream: {@code cache.DeltaType}). */
public enum DeltaType {
    /** A watch delivered a new object. */
    ADDED,
    /** A watch delivered a changed object. */
    UPDATED,
    /** A watch delivered a deletion. */
    DELETED,
    /** A list no longer has the object. */
    DELETED_UNSEEN,
    /** A list contains the object. */
    REPLACED,
    /** Resync: the store passes the object on again. */
    SYNC
}
