package io.kubeloop.cache;

/** What a listener tells its handler. Immutable; one instance serves all listeners. */
sealed interface Notification<T> {

    /** Returns how many calls of the handler it stands for. */
    default int calls() {
        return 1;
    }

    /** An object is new to the cache. */
    record Added<T>(T object, boolean isInInitialList) implements Notification<T> {}

    /**
     * An object was replaced.
     *
     * @param isSync whether both have one resource version: nothing happened at the server (DI-05)
     */
    record Updated<T>(T oldObject, T newObject, boolean isSync) implements Notification<T> {}

    /** An object left the cache. */
    record Deleted<T>(DeletedObject<T> deleted) implements Notification<T> {}

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
