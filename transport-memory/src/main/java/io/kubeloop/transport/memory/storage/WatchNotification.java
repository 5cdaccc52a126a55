package io.kubeloop.transport.memory.storage;

/** What a watcher has to say: a change of one object, or progress without any. */
public sealed interface WatchNotification {

    /** How a change looks from behind the watcher's filter. */
    enum Type {
        /** The object came into view. */
        ADDED,
        /** The object changed. */
        MODIFIED,
        /** The object is gone, or went out of view. */
        DELETED
    }

    /**
     * An object changed.
     *
     * @param type how
     * @param object its state; if it went out of view, the last state that was in view, under the version of the change
     */
    record Change(Type type, StoredObject object) implements WatchNotification {}

    /**
     * Everything up to a revision has been shown.
     *
     * @param revision the revision
     * @param initialEventsEnd whether this is the end of the initial events that were asked for
     */
    record Bookmark(long revision, boolean initialEventsEnd) implements WatchNotification {}
}
