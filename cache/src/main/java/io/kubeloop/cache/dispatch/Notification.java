/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.cache.dispatch;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectName;
import io.kubeloop.cache.DeletedObject;
import io.kubeloop.cache.EventCause;
import io.kubeloop.cache.ResourceEventHandler;
import java.util.List;
import java.util.function.Function;

/** A message to a handler. Immutable; one instance serves all listeners. */
public sealed interface Notification<T extends KubeObject> {

    /** Returns the number of handler calls that it represents. */
    int calls();

    /** Passes its calls to the receiver. */
    void passTo(Receiver<T> receiver);

    /** The listener that calls the handler, on its own thread. */
    interface Receiver<T extends KubeObject> {

        /** Calls the handler, unless the listener is closed. */
        void call(Change<T> change);

        /** Everything in the first list was handled. */
        void initialListHandled();
    }

    /** One call of a handler: a change of one object, or an object that is passed on again. */
    sealed interface Change<T extends KubeObject> extends Notification<T> {

        /** Returns the name of the object. */
        ObjectName key();

        /** Calls the handler. What the handler throws leaves this method. */
        void deliverTo(ResourceEventHandler<T> handler);

        @Override
        default int calls() {
            return 1;
        }

        @Override
        default void passTo(Receiver<T> receiver) {
            receiver.call(this);
        }
    }

    /** An object was added to the cache. */
    record Added<T extends KubeObject>(T object, boolean isInInitialList, EventCause cause) implements Change<T> {
        @Override
        public ObjectName key() {
            return object.objectName();
        }

        @Override
        public void deliverTo(ResourceEventHandler<T> handler) {
            handler.onAdd(object, isInInitialList, cause);
        }
    }

    /** An object was replaced. */
    record Updated<T extends KubeObject>(T oldObject, T newObject, EventCause cause) implements Change<T> {
        @Override
        public ObjectName key() {
            return newObject.objectName();
        }

        @Override
        public void deliverTo(ResourceEventHandler<T> handler) {
            handler.onUpdate(oldObject, newObject, cause);
        }
    }

    /** An object arrived again in the version that the cache has. Only for handlers that are due for a resync. */
    record Unchanged<T extends KubeObject>(T oldObject, T newObject, EventCause cause) implements Change<T> {
        @Override
        public ObjectName key() {
            return newObject.objectName();
        }

        @Override
        public void deliverTo(ResourceEventHandler<T> handler) {
            handler.onUpdate(oldObject, newObject, cause);
        }
    }

    /** An object was removed from the cache. */
    record Deleted<T extends KubeObject>(DeletedObject<T> deleted) implements Change<T> {
        @Override
        public ObjectName key() {
            return deleted.name();
        }

        @Override
        public void deliverTo(ResourceEventHandler<T> handler) {
            handler.onDelete(deleted, cause());
        }

        /** A watch observed this deletion, or a list revealed it. */
        EventCause cause() {
            return deleted instanceof DeletedObject.Observed ? EventCause.WATCH : EventCause.RELIST;
        }
    }

    /** The cached objects at a registration or at a resync. The handler's own thread makes the changes. */
    record CachedObjects<T extends KubeObject>(List<T> objects, Function<T, Change<T>> asChange)
            implements Notification<T> {
        @Override
        public int calls() {
            return objects.size();
        }

        @Override
        public void passTo(Receiver<T> receiver) {
            objects.forEach(object -> receiver.call(asChange.apply(object)));
        }
    }

    /** Returns the cache at the registration of a handler. */
    static <T extends KubeObject> Notification<T> replay(List<T> objects) {
        return new CachedObjects<>(objects, object -> new Added<>(object, true, EventCause.REPLAY));
    }

    /** Returns the cache at a resync. */
    static <T extends KubeObject> Notification<T> resync(List<T> objects) {
        return new CachedObjects<>(objects, object -> new Unchanged<>(object, object, EventCause.RESYNC));
    }

    /** The end of the first list: everything in it was added before. */
    record InitialListEnd<T extends KubeObject>() implements Notification<T> {
        @Override
        public int calls() {
            return 0;
        }

        @Override
        public void passTo(Receiver<T> receiver) {
            receiver.initialListHandled();
        }
    }

    /**
     * What enters every backlog in one step. One instance serves all listeners.
     *
     * @param commit the number of the commit that it is about; {@link #NO_COMMIT} if it is not about one
     * @param notifications in the order of their delivery; not changed afterwards
     */
    record Batch<T extends KubeObject>(long commit, List<? extends Notification<T>> notifications) {

        static final long NO_COMMIT = Long.MAX_VALUE;

        static <T extends KubeObject> Batch<T> of(Notification<T> notification) {
            return new Batch<>(NO_COMMIT, List.of(notification));
        }

        int calls() {
            int calls = 0;
            for (Notification<T> notification : notifications) {
                calls += notification.calls();
            }
            return calls;
        }

        /** Returns whether objects arrived again in the version that the cache has. */
        boolean hasRepeats() {
            for (Notification<T> notification : notifications) {
                if (notification instanceof Unchanged) {
                    return true;
                }
            }
            return false;
        }

        Batch<T> withoutRepeats() {
            return new Batch<>(
                    commit,
                    notifications.stream()
                            .filter(notification -> !(notification instanceof Unchanged))
                            .toList());
        }
    }
}
