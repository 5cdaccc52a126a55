/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.cache.dispatch;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectName;
import io.kubeloop.cache.DeletedObject;
import io.kubeloop.cache.EventCause;
import io.kubeloop.cache.ResourceEventHandler;
import java.util.AbstractList;
import java.util.List;
import java.util.function.Function;

/** One call of a handler. Immutable; one instance serves all listeners. */
public sealed interface Notification<T extends KubeObject> {

    /** Returns the name of the object. */
    ObjectName key();

    /** Calls the handler. What the handler throws leaves this method. */
    void deliverTo(ResourceEventHandler<T> handler);

    /** An object was added to the cache. */
    record Added<T extends KubeObject>(T object, boolean isInInitialList, EventCause cause) implements Notification<T> {
        @Override
        public ObjectName key() {
            return object.objectName();
        }

        @Override
        public void deliverTo(ResourceEventHandler<T> handler) {
            handler.onAdd(object, isInInitialList, cause);
        }
    }

    /** An object is in the cache that was there before. */
    sealed interface Stored<T extends KubeObject> extends Notification<T> {

        T oldObject();

        T newObject();

        EventCause cause();

        @Override
        default ObjectName key() {
            return newObject().objectName();
        }

        @Override
        default void deliverTo(ResourceEventHandler<T> handler) {
            handler.onUpdate(oldObject(), newObject(), cause());
        }
    }

    /** An object was replaced. */
    record Updated<T extends KubeObject>(T oldObject, T newObject, EventCause cause) implements Stored<T> {}

    /** An object arrived again in the version that the cache has. Only for handlers that are due for a resync. */
    record Unchanged<T extends KubeObject>(T oldObject, T newObject, EventCause cause) implements Stored<T> {}

    /** An object was removed from the cache. */
    record Deleted<T extends KubeObject>(DeletedObject<T> deleted) implements Notification<T> {
        @Override
        public ObjectName key() {
            return deleted.name();
        }

        /** A watch observed this deletion, or a list revealed it. */
        @Override
        public void deliverTo(ResourceEventHandler<T> handler) {
            handler.onDelete(deleted, deleted instanceof DeletedObject.Observed ? EventCause.WATCH : EventCause.RELIST);
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

        private static final Batch<?> INITIAL_LIST_END = new Batch<>(NO_COMMIT, List.of());

        /** Returns the end of the first list: everything in it was added before. */
        @SuppressWarnings("unchecked") // it has no notification
        static <T extends KubeObject> Batch<T> initialListEnd() {
            return (Batch<T>) INITIAL_LIST_END;
        }

        /** Returns the cache at the registration of a handler, or at a resync, whose thread makes the notifications. */
        static <T extends KubeObject> Batch<T> ofCache(List<T> objects, Function<T, Notification<T>> asNotification) {
            return new Batch<>(NO_COMMIT, new AbstractList<>() {
                @Override
                public Notification<T> get(int index) {
                    return asNotification.apply(objects.get(index));
                }

                @Override
                public int size() {
                    return objects.size();
                }
            });
        }

        boolean isInitialListEnd() {
            return this == INITIAL_LIST_END;
        }

        int calls() {
            return notifications.size();
        }

        /** Returns the batch without objects that arrived again in the version that the cache has. */
        Batch<T> withoutRepeats() {
            for (Notification<T> notification : notifications) {
                if (notification instanceof Unchanged) {
                    return new Batch<>(
                            commit,
                            notifications.stream()
                                    .filter(any -> !(any instanceof Unchanged))
                                    .toList());
                }
            }
            return this;
        }
    }
}
