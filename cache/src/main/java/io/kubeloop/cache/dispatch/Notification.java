package io.kubeloop.cache.dispatch;

import io.kubeloop.cache.DeletedObject;
import io.kubeloop.cache.EventCause;
import io.kubeloop.cache.store.PersistentMap;

/** What a listener tells its handler. Immutable; one instance serves all listeners. */
public sealed interface Notification<T> {

    /** Returns how many calls of the handler it stands for. */
    default int calls() {
        return 1;
    }

    /** An object is new to the cache. */
    record Added<T>(T object, boolean isInInitialList, EventCause cause) implements Notification<T> {}

    /** An object was replaced. */
    record Updated<T>(T oldObject, T newObject, EventCause cause) implements Notification<T> {}

    /** An object came again in the version that the cache has: for handlers that are due for a resync only (DI-05). */
    record Unchanged<T>(T oldObject, T newObject, EventCause cause) implements Notification<T> {}

    /** An object left the cache. */
    record Deleted<T>(DeletedObject<T> deleted) implements Notification<T> {

        /** A deletion that was seen was seen by a watch; any other was concluded from a list. */
        EventCause cause() {
            return deleted instanceof DeletedObject.Observed ? EventCause.WATCH : EventCause.RELIST;
        }
    }

    /** The cache as a new handler finds it; unfolded on the handler's own thread. */
    record Replay<T>(PersistentMap<?, T> objects) implements Notification<T> {
        @Override
        public int calls() {
            return objects.size();
        }
    }

    /** The cache, to be shown again; unfolded on the handler's own thread. */
    record Resync<T>(PersistentMap<?, T> objects) implements Notification<T> {
        @Override
        public int calls() {
            return objects.size();
        }
    }

    /** Everything of the first list lies before this. */
    record InitialListEnd<T>() implements Notification<T> {
        @Override
        public int calls() {
            return 0;
        }
    }
}
