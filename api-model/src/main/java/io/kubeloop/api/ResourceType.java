/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api;

import java.util.List;
import java.util.Objects;

/**
 * A resource of the API: the paths of its objects, and the Java type that holds them.
 *
 * @param group the API group; empty for the core group
 * @param version the version, such as {@code v1}
 * @param plural the resource's name in paths, such as {@code replicasets}
 * @param kind the kind of its objects, such as {@code ReplicaSet}
 * @param scope whether objects belong to namespaces
 * @param objectClass the Java type of its objects
 * @param <T> the Java type of its objects
 */
public record ResourceType<T extends KubeObject>(
        String group, String version, String plural, String kind, Scope scope, Class<T> objectClass) {

    /** The scope of a resource's objects. */
    public enum Scope {
        /** Each object belongs to a namespace. */
        NAMESPACED,
        /** Objects belong to the cluster. */
        CLUSTER
    }

    /** Checks that nothing is null, and that version, plural and kind are not empty. */
    public ResourceType {
        Objects.requireNonNull(group, "group");
        Objects.requireNonNull(scope, "scope");
        Objects.requireNonNull(objectClass, "objectClass");
        if (version.isEmpty() || plural.isEmpty() || kind.isEmpty()) {
            throw new IllegalArgumentException("version, plural and kind are required; got version \"" + version
                    + "\", plural \"" + plural + "\", kind \"" + kind + "\"");
        }
    }

    /* Methods of its own, as in ObjectName. */

    @Override
    public boolean equals(Object other) {
        if (other == this) {
            return true;
        }
        return other instanceof ResourceType<?> type
                && plural.equals(type.plural)
                && group.equals(type.group)
                && version.equals(type.version)
                && kind.equals(type.kind)
                && scope == type.scope
                && objectClass.equals(type.objectClass);
    }

    @Override
    public int hashCode() {
        return 31 * (31 * group.hashCode() + version.hashCode()) + plural.hashCode();
    }

    /**
     * Returns the {@code apiVersion} of the objects: {@code group/version}, or only the version in the core group.
     */
    public String apiVersion() {
        return group.isEmpty() ? version : group + "/" + version;
    }

    /** Returns whether objects belong to namespaces. */
    public boolean isNamespaced() {
        return scope == Scope.NAMESPACED;
    }

    /**
     * Returns the path of the collection.
     *
     * @param namespace the namespace; empty for all namespaces, ignored for cluster-scoped resources
     * @throws IllegalArgumentException if a name would change the structure of the path
     */
    public String collectionPath(String namespace) {
        String root = group.isEmpty() ? "/api/" + version : "/apis/" + group + "/" + version;
        return isNamespaced() && !namespace.isEmpty()
                ? root + "/namespaces/" + segment("namespace", namespace) + "/" + plural
                : root + "/" + plural;
    }

    /**
     * Returns the path of one object.
     *
     * @throws IllegalArgumentException if a name would change the structure of the path
     */
    public String objectPath(ObjectName name) {
        return collectionPath(name.namespace()) + "/" + segment("name", name.name());
    }

    /**
     * Returns the path of a subresource, such as {@code status}.
     *
     * @throws IllegalArgumentException if a name would change the structure of the path
     */
    public String objectPath(ObjectName name, String subresource) {
        return objectPath(name) + "/" + segment("subresource", subresource);
    }

    private String segment(String what, String text) {
        List<String> wrong = NameValidation.pathSegment(text);
        if (!wrong.isEmpty()) {
            throw new IllegalArgumentException("the " + what + " \"" + text + "\" of " + this
                    + " would lead elsewhere: it " + String.join(", and it ", wrong));
        }
        return text;
    }

    /** Returns {@code plural.group}, or only the plural in the core group, as in error messages and RBAC rules. */
    @Override
    public String toString() {
        return group.isEmpty() ? plural : plural + "." + group;
    }
}
