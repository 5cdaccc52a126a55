/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.serviceaccount;

import io.kubeloop.api.ObjectName;
import io.kubeloop.api.core.Namespace;
import io.kubeloop.cache.ResourceEventHandler;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** The keys of namespaces, for controllers that keep one object in each. Stateless. */
final class NamespaceKeys {

    private NamespaceKeys() {}

    static ObjectName of(String namespace) {
        return new ObjectName("", namespace);
    }

    static boolean isActive(Namespace namespace) {
        return namespace.status().phase().equals("Active");
    }

    /**
     * Returns a handler that passes on the key of each new namespace and of each changed one.
     *
     * @param isChangeRelevant returns whether to pass on the key of a changed namespace
     */
    static ResourceEventHandler<Namespace> handler(
            String name, Predicate<Namespace> isChangeRelevant, Consumer<ObjectName> keys) {
        return new ResourceEventHandler<>() {
            @Override
            public void onAdd(Namespace namespace, boolean isInInitialList) {
                keys.accept(namespace.objectName());
            }

            @Override
            public void onUpdate(Namespace old, Namespace current) {
                if (isChangeRelevant.test(current)) {
                    keys.accept(current.objectName());
                }
            }

            @Override
            public String handlerName() {
                return name;
            }
        };
    }
}
