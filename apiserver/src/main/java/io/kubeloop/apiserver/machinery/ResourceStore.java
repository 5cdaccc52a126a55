package io.kubeloop.apiserver.machinery;

import io.kubeloop.apiserver.storage.Bucket;
import io.kubeloop.apiserver.storage.Snapshot;
import io.kubeloop.apiserver.storage.StoredObject;
import io.kubeloop.json.tree.JsonObject;
import org.jspecify.annotations.Nullable;

/**
 * One served resource with its strategy and its bucket in the storage. Immutable.
 *
 * @param resource the served resource
 * @param strategy the behavior that is specific to its kind
 * @param types the check of the types of its fields
 * @param bucket the bucket that holds its objects
 */
public record ResourceStore(ServedResource resource, RestStrategy strategy, TypeCheck types, Bucket bucket) {

    /** Returns the storage key. Keys sort as upstream's do: by the string {@code namespace/name}. */
    public String key(String namespace, String name) {
        return resource.type().isNamespaced() ? namespace + "/" + name : name;
    }

    /** Returns the first key of a namespace; of the whole bucket if the namespace is empty. */
    public String firstKey(String namespace) {
        return namespace.isEmpty() ? "" : namespace + "/";
    }

    /** Returns the key at which a namespace ends, exclusive; null if the namespace is empty. */
    public @Nullable String endKey(String namespace) {
        return namespace.isEmpty() ? null : namespace + (char) ('/' + 1);
    }

    /** Returns the objects of a namespace in a snapshot; all objects if the namespace is empty. */
    public Iterable<StoredObject> objects(Snapshot then, String namespace) {
        return () -> then.of(bucket).range(firstKey(namespace), endKey(namespace));
    }

    /**
     * Returns whether a namespace has objects in a snapshot; whether there are any if the namespace is empty. O(log
     * n).
     */
    public boolean hasObjects(Snapshot then, String namespace) {
        return objects(then, namespace).iterator().hasNext();
    }

    /** Returns the key of an object. */
    public String keyOf(JsonObject object) {
        return key(Meta.namespace(object), Meta.name(object));
    }

    /**
     * Returns the object that was found.
     *
     * @throws ApiFailure 404 if it is null
     */
    public StoredObject require(@Nullable StoredObject found, String name) {
        if (found == null) {
            throw ApiFailure.notFound(resource, name);
        }
        return found;
    }

    /** Returns the failure of an object with these validation errors. */
    public ApiFailure invalid(String name, FieldErrors errors) {
        return ApiFailure.invalid(resource.type().group(), resource.type().kind(), name, errors);
    }
}
