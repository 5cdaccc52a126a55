/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The metadata of a stored object (upstream: {@code metav1.ObjectMeta}).
 *
 * @param name the name, unique within namespace and resource
 * @param generateName prefix from which the server makes a name when {@code name} is empty
 * @param namespace the namespace; empty for cluster-scoped objects
 * @param uid the unique identifier from the server; it distinguishes successive objects of one name
 * @param resourceVersion opaque version of this object; empty before the first write
 * @param generation a counter of changes to the desired state
 * @param creationTimestamp set by the server; null before the first write
 * @param deletionTimestamp set by the server on a delete request; the object is terminating
 * @param deletionGracePeriodSeconds seconds between that request and the removal
 * @param labels key-value pairs that selectors match, in the order of the JSON
 * @param annotations free-form key-value pairs, in the order of the JSON
 * @param ownerReferences the objects that own this one; at most one is the controller
 * @param finalizers names that delay the removal of a terminating object until the list is empty
 * @param unknownFields all other fields, such as {@code managedFields}
 */
@WithMethods
public record ObjectMeta(
        @JsonMember(shared = false) String name,
        String generateName,
        String namespace,
        @JsonMember(shared = false) String uid,
        @JsonMember(shared = false) String resourceVersion,
        @JsonMember(omitZero = true) long generation,
        @Nullable Time creationTimestamp,
        @Nullable Time deletionTimestamp,
        @Nullable Long deletionGracePeriodSeconds,
        Map<String, String> labels,
        @JsonMember(shared = false) Map<String, String> annotations,
        List<OwnerReference> ownerReferences,
        List<String> finalizers,
        UnknownFields unknownFields)
        implements ObjectMetaBuilder.With {

    /** Metadata with every field absent. */
    public static final ObjectMeta EMPTY = ObjectMetaBuilder.builder().build();

    /** Copies the collections; null means the zero value. */
    public ObjectMeta {
        name = Values.orEmpty(name);
        generateName = Values.orEmpty(generateName);
        namespace = Values.orEmpty(namespace);
        uid = Values.orEmpty(uid);
        resourceVersion = Values.orEmpty(resourceVersion);
        labels = Values.orEmpty(labels);
        annotations = Values.orEmpty(annotations);
        ownerReferences = Values.orEmpty(ownerReferences);
        finalizers = Values.orEmpty(finalizers);
        unknownFields = Values.orNone(unknownFields);
    }

    /** Returns metadata with only this namespace and name. */
    public static ObjectMeta named(String namespace, String name) {
        return ObjectMetaBuilder.builder().namespace(namespace).name(name).build();
    }

    /** Returns the owner reference marked as controller, or null if there is none. O(n) in the references. */
    public @Nullable OwnerReference controller() {
        for (OwnerReference owner : ownerReferences) {
            if (owner.isController()) {
                return owner;
            }
        }
        return null;
    }

    /** Returns whether the object is terminating: it has a deletion timestamp. */
    public boolean isDeleting() {
        return deletionTimestamp != null;
    }
}
