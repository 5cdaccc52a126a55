package io.kubeloop.cache;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectName;
import java.util.function.Consumer;

/**
 * Is told what happens to the objects of a cache (upstream: {@code cache.ResourceEventHandler}).
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
    void onAdd(T object, boolean isInInitialList);

    /** An object changed, or a resync shows it again (both states are then the same object). */
    void onUpdate(T oldObject, T newObject);

    /** An object is gone. */
    void onDelete(DeletedObject<T> deleted);

    /**
     * Returns a handler that passes on the key of whatever changed, and nothing else: what a controller needs whose work
     * queue holds the keys of the objects that it watches.
     *
     * @param keys such as {@code queue::add}; called on the handler's thread
     */
    static ResourceEventHandler<KubeObject> forKeys(Consumer<? super ObjectName> keys) {
        return new ResourceEventHandler<>() {
            @Override
            public void onAdd(KubeObject object, boolean isInInitialList) {
                keys.accept(object.objectName());
            }

            @Override
            public void onUpdate(KubeObject oldObject, KubeObject newObject) {
                keys.accept(newObject.objectName());
            }

            @Override
            public void onDelete(DeletedObject<KubeObject> deleted) {
                keys.accept(deleted.name());
            }
        };
    }
}
