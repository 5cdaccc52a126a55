/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.cache;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectName;
import io.kubeloop.cache.dispatch.HandlerNames;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Receives the changes of an informer's cache (upstream: {@code cache.ResourceEventHandler}).
 *
 * <p>Every method does nothing by default. For each kind of event, implement the plain method, or the one with an
 * {@link EventCause}. The informer calls the method with the cause, which by default calls the plain method.
 *
 * <p>One thread makes all calls for one registration, one after the other. Calls for one object follow the order of the
 * server's changes. Calls for different objects of one informer follow the watch with the default queue; nothing orders
 * the calls of two informers, such as those of an owner and its pods. A handler should return quickly: a slow handler
 * delays no other handler, but its own backlog grows. An exception is logged, at most once a minute, and the next call
 * follows.
 *
 * @param <T> the type of the objects
 */
public interface ResourceEventHandler<T> {

    /**
     * An object was added to the cache.
     *
     * @param object the new object; must not be changed
     * @param isInInitialList whether the object was there when the handler was registered or the cache was first filled
     */
    default void onAdd(T object, boolean isInInitialList) {}

    /**
     * An object was added to the cache.
     *
     * @param object the new object; must not be changed
     * @param isInInitialList whether the object was there when the handler was registered or the cache was first
     *     filled. With {@link InformerConfig.QueueKind#DELTA_FIFO} it is also true for {@link EventCause#WATCH} if the
     *     object was deleted and created again before the first list was processed
     * @param cause never {@link EventCause#RESYNC}
     */
    default void onAdd(T object, boolean isInInitialList, EventCause cause) {
        onAdd(object, isInInitialList);
    }

    /**
     * An object was changed, or a resync passes it on again; both states are then the same object. Changes between the
     * two states may be missing. If the object was deleted and created again while no watch was open, the UIDs differ.
     *
     * @param oldObject the state before; must not be changed
     * @param newObject the state now; must not be changed
     */
    default void onUpdate(T oldObject, T newObject) {}

    /**
     * An object was changed, or a resync passes it on again.
     *
     * @param oldObject the state before; must not be changed
     * @param newObject the state now; must not be changed
     * @param cause {@link EventCause#WATCH}, {@link EventCause#RELIST} or {@link EventCause#RESYNC}; another one only
     *     if the first list contains an object twice
     */
    default void onUpdate(T oldObject, T newObject, EventCause cause) {
        onUpdate(oldObject, newObject);
    }

    /**
     * An object was deleted.
     *
     * @param deleted the last known state, and whether it is final
     */
    default void onDelete(DeletedObject<T> deleted) {}

    /**
     * An object was deleted.
     *
     * @param deleted the last known state, and whether it is final
     * @param cause {@link EventCause#WATCH} for an observed deletion, {@link EventCause#RELIST} for one that a list
     *     revealed
     */
    default void onDelete(DeletedObject<T> deleted, EventCause cause) {
        onDelete(deleted);
    }

    /**
     * Returns the name of this handler in logs, health and metrics; by default that of its class, or of the class that
     * contains it if it has none. Several handlers may share a name.
     */
    default String handlerName() {
        return HandlerNames.of(this);
    }

    /**
     * Returns a handler that passes on only the key of each changed object. A controller uses it if its work queue
     * holds the keys of the objects that it watches.
     *
     * @param keys receives the keys on the handler's thread, such as {@code queue::add}
     */
    static ResourceEventHandler<KubeObject> forKeys(Consumer<? super ObjectName> keys) {
        return forKeys("keys to " + HandlerNames.of(keys), keys);
    }

    /**
     * Returns a handler as {@link #forKeys(Consumer)} does, with a name.
     *
     * @param name the name in logs, health and metrics, such as that of the controller
     */
    static ResourceEventHandler<KubeObject> forKeys(String name, Consumer<? super ObjectName> keys) {
        return forKeys(name, (oldObject, newObject) -> true, keys);
    }

    /**
     * Returns a handler as {@link #forKeys(String, Consumer)} does, which skips some updates.
     *
     * @param isRelevant decides by the states before and now whether the key of an updated object is passed on
     */
    static <T extends KubeObject> ResourceEventHandler<T> forKeys(
            String name, BiPredicate<? super T, ? super T> isRelevant, Consumer<? super ObjectName> keys) {
        return new ResourceEventHandler<>() {
            @Override
            public void onAdd(T object, boolean isInInitialList) {
                keys.accept(object.objectName());
            }

            @Override
            public void onUpdate(T oldObject, T newObject) {
                if (isRelevant.test(oldObject, newObject)) {
                    keys.accept(newObject.objectName());
                }
            }

            @Override
            public void onDelete(DeletedObject<T> deleted) {
                keys.accept(deleted.name());
            }

            @Override
            public String handlerName() {
                return name;
            }
        };
    }

    /**
     * Returns a handler that passes on the newest known state of each changed object: the state now, or the last one
     * before a deletion. A deletion without a known state is skipped. An update to another UID stands for a deletion
     * and an addition, and passes on both states.
     *
     * @param name the name in logs, health and metrics, such as that of the controller
     * @param objects receives the states on the handler's thread
     */
    static <T extends KubeObject> ResourceEventHandler<T> forObjects(String name, Consumer<? super T> objects) {
        return new ResourceEventHandler<>() {
            @Override
            public void onAdd(T object, boolean isInInitialList) {
                objects.accept(object);
            }

            @Override
            public void onUpdate(T oldObject, T newObject) {
                if (!oldObject.metadata().uid().equals(newObject.metadata().uid())) {
                    objects.accept(oldObject);
                }
                objects.accept(newObject);
            }

            @Override
            public void onDelete(DeletedObject<T> deleted) {
                T last = deleted.lastKnown();
                if (last != null) {
                    objects.accept(last);
                }
            }

            @Override
            public String handlerName() {
                return name;
            }
        };
    }

    /**
     * Returns a handler that receives only matching objects. An object that begins to match is delivered as an
     * addition. An object that stops matching is delivered as an observed deletion with its last matching state.
     *
     * @param matches must depend on the object alone; called on the handler's thread. A deletion without a known state
     *     is passed on without calling it
     * @param handler receives the matching objects
     */
    static <T extends KubeObject> ResourceEventHandler<T> filtered(
            Predicate<? super T> matches, ResourceEventHandler<T> handler) {
        return new ResourceEventHandler<>() {
            @Override
            public void onAdd(T object, boolean isInInitialList, EventCause cause) {
                if (matches.test(object)) {
                    handler.onAdd(object, isInInitialList, cause);
                }
            }

            @Override
            public void onUpdate(T oldObject, T newObject, EventCause cause) {
                boolean before = matches.test(oldObject);
                boolean now = matches.test(newObject);
                if (before && now) {
                    handler.onUpdate(oldObject, newObject, cause);
                } else if (now) {
                    handler.onAdd(newObject, false, cause);
                } else if (before) {
                    handler.onDelete(new DeletedObject.Observed<>(oldObject.objectName(), oldObject), cause);
                }
            }

            @Override
            public void onDelete(DeletedObject<T> deleted, EventCause cause) {
                T lastKnown = deleted.lastKnown();
                if (lastKnown == null || matches.test(lastKnown)) {
                    handler.onDelete(deleted, cause);
                }
            }

            @Override
            public String handlerName() {
                return handler.handlerName();
            }
        };
    }
}
