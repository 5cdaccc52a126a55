package io.kubeloop.cache;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectName;
import io.kubeloop.cache.dispatch.FilteringResourceEventHandler;
import io.kubeloop.cache.dispatch.HandlerNames;
import io.kubeloop.cache.dispatch.KeyHandler;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Is told what happens to the objects of a cache (upstream: {@code cache.ResourceEventHandler}).
 *
 * <p>Implement what you need, the rest does nothing (FH-01): for each kind of event either the plain method or, to learn the
 * {@link EventCause} too, the one that has it. The informer calls the latter, which by default calls the former.
 *
 * <p>The calls for one registration come one after the other on one thread, those for one object in the order in which
 * the server made them. Be quick: a slow handler delays nobody else, but its backlog grows.
 *
 * @param <T> the type of the objects
 */
public interface ResourceEventHandler<T> {

    /**
     * An object appeared.
     *
     * @param isInInitialList whether it was there when the handler was registered or the cache first filled
     */
    default void onAdd(T object, boolean isInInitialList) {}

    /**
     * An object appeared.
     *
     * @param isInInitialList whether it was there when the handler was registered or the cache first filled; so it is with
     *     {@link EventCause#WATCH}, too, if the queue coalesces and the object was deleted and made anew before the first list
     *     was processed (DF-15)
     * @param cause never {@link EventCause#RESYNC}
     */
    default void onAdd(T object, boolean isInInitialList, EventCause cause) {
        onAdd(object, isInInitialList);
    }

    /**
     * An object changed, or a resync shows it again (both states are then the same object). Changes may have been left out
     * between the two states, and if the object was deleted and made anew while nobody watched, its UID differs (KEY-08).
     */
    default void onUpdate(T oldObject, T newObject) {}

    /**
     * An object changed, or a resync shows it again.
     *
     * @param cause {@link EventCause#WATCH}, {@link EventCause#RELIST} or {@link EventCause#RESYNC}; one of the others only
     *     where the first list has an object twice
     */
    default void onUpdate(T oldObject, T newObject, EventCause cause) {
        onUpdate(oldObject, newObject);
    }

    /** An object is gone. */
    default void onDelete(DeletedObject<T> deleted) {}

    /**
     * An object is gone.
     *
     * @param cause {@link EventCause#WATCH} for a deletion that was observed, {@link EventCause#RELIST} for one that was
     *     concluded
     */
    default void onDelete(DeletedObject<T> deleted, EventCause cause) {
        onDelete(deleted);
    }

    /** Returns what logs, health and metrics call this handler; by default its class. Many handlers may share a name. */
    default String handlerName() {
        return HandlerNames.of(this);
    }

    /**
     * Returns a handler that passes on the key of whatever changed, and nothing else: what a controller needs whose work
     * queue holds the keys of the objects that it watches.
     *
     * @param keys such as {@code queue::add}; called on the handler's thread
     */
    static ResourceEventHandler<KubeObject> forKeys(Consumer<? super ObjectName> keys) {
        return new KeyHandler(keys);
    }

    /**
     * Returns a handler that is told of the matching objects only: for it, one that comes to match appears, and one that no
     * longer matches is gone, as observed in its last matching state (FH-02).
     *
     * @param matches depends on the object alone; called on the handler's thread. A deletion of which no state is known
     *     passes without being asked for
     */
    static <T extends KubeObject> ResourceEventHandler<T> filtered(
            Predicate<? super T> matches, ResourceEventHandler<T> handler) {
        return new FilteringResourceEventHandler<>(matches, handler);
    }
}
