/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.storage;

/** The output of a {@link StorageWatcher}: a change of one object, or a bookmark. */
public sealed interface WatchNotification {

    /** The type of a change, after the filter of the watcher was applied. */
    enum Type {
        /** The object was created, or started to match the filter. */
        ADDED,
        /** The object changed. */
        MODIFIED,
        /** The object was deleted, or ceased to match the filter. */
        DELETED
    }

    /**
     * An object changed.
     *
     * @param type the type of the change
     * @param object the state after the change; if the object ceased to match, the last matching state with the
     *     version of the change
     * @param forms the encoded forms of the event; new and empty for an object that existed when the watch began
     * @param weight about how many bytes of memory the objects take that the watch holds until the next notification
     */
    record Change(Type type, StoredObject object, SharedForms forms, long weight) implements WatchNotification {}

    /**
     * Every event up to a revision has been delivered.
     *
     * @param revision the revision
     * @param initialEventsEnd whether the bookmark marks the end of the initial events that the client requested
     */
    record Bookmark(long revision, boolean initialEventsEnd) implements WatchNotification {}
}
