package io.kubeloop.cache.dispatch;

import io.kubeloop.cache.DeletedObject;
import io.kubeloop.cache.EventCause;
import java.util.List;

/** A message to a handler. Immutable; one instance serves all listeners. */
public sealed interface Notification<T> {

    /** Returns the number of handler calls that it represents. */
    default int calls() {
        return 1;
    }

    /** An object was added to the cache. */
    record Added<T>(T object, boolean isInInitialList, EventCause cause) implements Notification<T> {}

    /** An object was replaced. */
    record Updated<T>(T oldObject, T newObject, EventCause cause) implements Notification<T> {}

    /**
     * An object arrived again in the version that the cache has. Delivered only to handlers that are due for a resync.
     */
    record Unchanged<T>(T oldObject, T newObject, EventCause cause) implements Notification<T> {}

    /** An object was removed from the cache. */
    record Deleted<T>(DeletedObject<T> deleted) implements Notification<T> {

        /** A watch observed this deletion, or a list revealed it. */
        EventCause cause() {
            return deleted instanceof DeletedObject.Observed ? EventCause.WATCH : EventCause.RELIST;
        }
    }

    /** The cache at the registration of a handler. The handler's own thread expands it. */
    record Replay<T>(List<T> objects) implements Notification<T> {
        @Override
        public int calls() {
            return objects.size();
        }
    }

    /** The cache at a resync. The handler's own thread expands it. */
    record Resync<T>(List<T> objects) implements Notification<T> {
        @Override
        public int calls() {
            return objects.size();
        }
    }

    /** The end of the first list: everything in it was added before. */
    record InitialListEnd<T>() implements Notification<T> {
        @Override
        public int calls() {
            return 0;
        }
    }
}
