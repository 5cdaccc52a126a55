/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.volume;

import io.kubeloop.api.Finalizers;
import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.client.ResourceClient;
import io.kubeloop.cache.Lister;
import io.kubeloop.cache.ResourceEventHandler;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * The objects of a kind that a finalizer keeps while they are in use. Immutable; as thread-safe as its parts.
 *
 * @param objects the cached objects
 * @param client writes the objects
 * @param protection the finalizer
 * @param account the name of the handler
 * @param <T> the type of the objects
 */
record ProtectedObjects<T extends KubeObject>(
        Lister<T> objects, ResourceClient<T> client, Protection protection, String account) {

    /** Returns a handler that passes on the keys of objects that must get the finalizer, or may lose it. */
    ResourceEventHandler<T> handler(Consumer<ObjectName> waiting) {
        return handler(object -> false, waiting);
    }

    /** Returns the same handler, which also passes on the keys of objects that need something else. */
    ResourceEventHandler<T> handler(Predicate<T> needsMore, Consumer<ObjectName> waiting) {
        return new ResourceEventHandler<>() {
            @Override
            public void onAdd(T object, boolean isInInitialList) {
                changed(object);
            }

            @Override
            public void onUpdate(T old, T current) {
                changed(current);
            }

            private void changed(T object) {
                if (protection.isMissing(object) || protection.holds(object) || needsMore.test(object)) {
                    waiting.accept(object.objectName());
                }
            }

            @Override
            public String handlerName() {
                return account;
            }
        };
    }

    /**
     * Adds or removes the finalizer of an object.
     *
     * @param isUsed whether a deleted object is in use; called only for such an object
     */
    void sync(ObjectName key, Predicate<T> isUsed) {
        T object = objects.get(key);
        if (object == null) {
            return;
        }
        if (protection.isMissing(object)) {
            client.update(Finalizers.add(object, protection.finalizer()));
        } else if (protection.holds(object) && !isUsed.test(object)) {
            client.update(Finalizers.remove(object, protection.finalizer()));
        }
    }
}
