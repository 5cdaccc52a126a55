package io.kubeloop.transport.memory.storage;

import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonString;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An object as it is stored at one resource version: its tree, and its bytes once somebody has asked for them.
 *
 * <p>Immutable; the two caches are filled by whoever comes first, and two threads that come at once store equal values.
 */
public final class StoredObject {

    private final String key;
    private final long revision;
    private final JsonObject tree;

    // Volatile because the bytes of an array, unlike the fields of an immutable map, are not published by a race.
    private volatile byte @Nullable [] json;

    // Racy on purpose: the map is immutable and every thread computes the same one.
    private @Nullable Map<String, String> labels;

    /** Wraps a tree whose {@code metadata.resourceVersion} is the revision already. */
    StoredObject(String key, long revision, JsonObject tree) {
        this.key = key;
        this.revision = revision;
        this.tree = tree;
    }

    /** Returns {@code namespace/name}, or the name alone if the object is in no namespace. */
    public String key() {
        return key;
    }

    /** Returns the version at which the object was written. */
    public long revision() {
        return revision;
    }

    /** Returns the object. */
    public JsonObject tree() {
        return tree;
    }

    /** Returns the encoded object. Not a copy: not to be written to. */
    public byte[] json() {
        byte[] bytes = json;
        if (bytes == null) {
            bytes = tree.toBytes();
            json = bytes;
        }
        return bytes;
    }

    /** Returns the labels; unmodifiable. */
    public Map<String, String> labels() {
        Map<String, String> read = labels;
        if (read == null) {
            Map<String, String> collected = new LinkedHashMap<>();
            tree.object("metadata", "labels").members().forEach((name, value) -> {
                if (value instanceof JsonString text) {
                    collected.put(name, text.value());
                }
            });
            read = Map.copyOf(collected);
            labels = read;
        }
        return read;
    }

    /** Returns an object that is not stored: what a write would have made. */
    public static StoredObject unsaved(String key, JsonObject tree) {
        return new StoredObject(key, 0, tree);
    }

    /** Returns the same object as if it had been written at another revision: what a deletion shows. */
    StoredObject at(long otherRevision) {
        return of(key, otherRevision, tree);
    }

    /** Returns the tree stored under a key at a revision, which is written into the metadata. */
    static StoredObject of(String key, long revision, JsonObject tree) {
        JsonObject metadata = tree.object("metadata").with("resourceVersion", Long.toString(revision));
        return new StoredObject(key, revision, tree.with("metadata", metadata));
    }

    @Override
    public String toString() {
        return Objects.toString(key) + "@" + revision;
    }
}
