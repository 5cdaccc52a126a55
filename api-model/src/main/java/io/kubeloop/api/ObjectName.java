/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api;

import java.util.Objects;

/**
 * The key of an object within its resource: namespace and name.
 *
 * <p>The UID is not part of the key. An object that is deleted and created again under the same name has the same
 * key.
 *
 * @param namespace the namespace; empty for cluster-scoped objects
 * @param name the name
 */
public record ObjectName(String namespace, String name) implements Comparable<ObjectName> {

    /** Checks that neither part is null. */
    public ObjectName {
        Objects.requireNonNull(namespace, "namespace");
        Objects.requireNonNull(name, "name");
    }

    /**
     * Parses {@code namespace/name} or {@code name}.
     *
     * @throws IllegalArgumentException if the key has more than one slash
     */
    public static ObjectName parse(String key) {
        int slash = key.indexOf('/');
        if (slash < 0) {
            return new ObjectName("", key);
        }
        if (key.indexOf('/', slash + 1) >= 0) {
            throw new IllegalArgumentException(
                    "unexpected key format: \"" + key + "\"; want \"namespace/name\" or \"name\"");
        }
        return new ObjectName(key.substring(0, slash), key.substring(slash + 1));
    }

    /* Its own methods: those of a record make classes at their first call, which each cold start pays for. */

    @Override
    public boolean equals(Object other) {
        if (other == this) {
            return true;
        }
        return other instanceof ObjectName key && name.equals(key.name) && namespace.equals(key.namespace);
    }

    @Override
    public int hashCode() {
        return 31 * namespace.hashCode() + name.hashCode();
    }

    /** Orders by namespace, then by name. */
    @Override
    public int compareTo(ObjectName other) {
        int byNamespace = namespace.compareTo(other.namespace);
        return byNamespace != 0 ? byNamespace : name.compareTo(other.name);
    }

    /** Returns {@code namespace/name}, or only {@code name} if the namespace is empty. */
    @Override
    public String toString() {
        return namespace.isEmpty() ? name : namespace + "/" + name;
    }
}
