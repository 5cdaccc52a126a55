package io.kubeloop.api;

import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Metadata that every stored object has (upstream: {@code metav1.ObjectMeta}).
 *
 * @param name unique within the namespace and resource
 * @param generateName prefix from which the server makes a name when {@code name} is empty
 * @param namespace empty for cluster-scoped objects
 * @param uid given by the server; distinguishes objects that had the same name one after the other
 * @param resourceVersion opaque version of this object; empty before the first write
 * @param generation counts changes of the desired state
 * @param creationTimestamp set by the server; null before the first write
 * @param deletionTimestamp set by the server when deletion was asked for; the object is terminating
 * @param deletionGracePeriodSeconds seconds between that request and removal
 * @param labels what selectors match; iteration order is that of the JSON
 * @param annotations free-form; iteration order is that of the JSON
 * @param ownerReferences objects that this one depends on; at most one is the controller
 * @param finalizers names that keep a deleted object in existence until they are removed
 * @param unknownFields everything else, such as {@code managedFields}
 */
@RecordBuilder
public record ObjectMeta(
        @JsonMember(shared = false) String name,
        String generateName,
        String namespace,
        @JsonMember(shared = false) String uid,
        @JsonMember(shared = false) String resourceVersion,
        long generation,
        @Nullable Time creationTimestamp,
        @Nullable Time deletionTimestamp,
        @Nullable Long deletionGracePeriodSeconds,
        Map<String, String> labels,
        @JsonMember(shared = false) Map<String, String> annotations,
        List<OwnerReference> ownerReferences,
        List<String> finalizers,
        UnknownFields unknownFields) {

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

    /** Returns metadata with this name and namespace and nothing else. */
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

    /** Returns whether deletion was asked for: the object is terminating. */
    public boolean isDeleting() {
        return deletionTimestamp != null;
    }
}
