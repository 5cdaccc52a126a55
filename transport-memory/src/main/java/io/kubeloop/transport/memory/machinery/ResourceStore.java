package io.kubeloop.transport.memory.machinery;

import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.transport.memory.storage.Bucket;
import io.kubeloop.transport.memory.storage.Snapshot;
import io.kubeloop.transport.memory.storage.StoredObject;
import org.jspecify.annotations.Nullable;

/**
 * One served resource together with its place in the storage and its strategy. Immutable.
 *
 * @param resource what is served
 * @param strategy what is special about it
 * @param bucket where it is stored
 */
public record ResourceStore(ServedResource resource, RestStrategy strategy, Bucket bucket) {

    /** Returns the storage key. Keys sort as upstream's do: by the text {@code namespace/name}. */
    public String key(String namespace, String name) {
        return resource.type().isNamespaced() ? namespace + "/" + name : name;
    }

    /** Returns the first key of a namespace, or of everything. */
    public String firstKey(String namespace) {
        return namespace.isEmpty() ? "" : namespace + "/";
    }

    /** Returns the key before which a namespace ends; null if everything is meant. */
    public @Nullable String endKey(String namespace) {
        return namespace.isEmpty() ? null : namespace + (char) ('/' + 1);
    }

    /** Returns the objects of a namespace, or all, as they were then. */
    public Iterable<StoredObject> objects(Snapshot then, String namespace) {
        return () -> then.of(bucket).range(firstKey(namespace), endKey(namespace));
    }

    /** Returns whether a namespace, or everything, had any objects then. O(log n). */
    public boolean hasObjects(Snapshot then, String namespace) {
        return objects(then, namespace).iterator().hasNext();
    }

    /** Returns the key of an object. */
    public String keyOf(JsonObject object) {
        return key(Meta.namespace(object), Meta.name(object));
    }

    /** Returns the object, or refuses with 404. */
    public StoredObject require(@Nullable StoredObject found, String name) {
        if (found == null) {
            throw ApiFailure.notFound(resource, name);
        }
        return found;
    }

    /** Returns the refusal of an object with these errors. */
    public ApiFailure invalid(String name, FieldErrors errors) {
        return ApiFailure.invalid(resource.type().group(), resource.type().kind(), name, errors);
    }
}
