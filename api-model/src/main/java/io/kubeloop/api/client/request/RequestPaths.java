/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.client.request;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceType;
import java.util.function.Supplier;

/**
 * The request paths of one resource. The methods reject missing names, and names that would change the structure of the
 * path. Their error messages contain the HTTP method. Immutable.
 */
record RequestPaths(ResourceType<?> type) {

    /** Returns the path of the objects in a namespace, or in all namespaces if it is empty. */
    String collection(String method, String namespace) {
        return checked(method, () -> type.collectionPath(namespace));
    }

    /** Returns the path of an object's collection. */
    String collectionOf(String method, KubeObject object) {
        String namespace = object.metadata().namespace();
        if (type.isNamespaced() && namespace.isEmpty()) {
            throw new IllegalArgumentException("an object of " + type + " needs a namespace, got none for \""
                    + object.metadata().name() + "\"");
        }
        return collection(method, namespace);
    }

    /** Returns the path of an object. */
    String object(String method, ObjectName name) {
        requireWhole(name);
        return checked(method, () -> type.objectPath(name));
    }

    /** Returns the path of a subresource. */
    String part(String method, ObjectName name, String subresource) {
        requireWhole(name);
        return checked(method, () -> type.objectPath(name, subresource));
    }

    private void requireWhole(ObjectName name) {
        if (name.name().isEmpty() || (type.isNamespaced() && name.namespace().isEmpty())) {
            throw new IllegalArgumentException("an object of " + type + " needs a name"
                    + (type.isNamespaced() ? " and a namespace" : "") + ", got \"" + name + "\"");
        }
    }

    private static String checked(String method, Supplier<String> path) {
        try {
            return path.get();
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(method + " refused: " + e.getMessage(), e);
        }
    }
}
