package io.kubeloop.apiserver.storage;

import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonString;
import io.kubeloop.json.tree.JsonValue;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A stored object at one resource version: its tree, and its encoded bytes after their first use.
 *
 * <p>Immutable. The first reader of the bytes or labels fills the cache; two concurrent readers store equal values.
 */
public final class StoredObject {

    private static final int MAX_ENCODINGS = 4;
    private static final String VERSION = "resourceVersion";

    /** The members of the metadata in the order in which kube-apiserver writes them. */
    private static final List<String> METADATA = List.of(
            "name",
            "generateName",
            "namespace",
            "uid",
            VERSION,
            "generation",
            "creationTimestamp",
            "deletionTimestamp",
            "deletionGracePeriodSeconds",
            "labels",
            "annotations",
            "ownerReferences",
            "finalizers",
            "managedFields");

    private final String key;
    private final long revision;
    private final JsonObject tree;
    private final boolean outdated;

    // Volatile because the contents of an array, unlike the fields of an immutable map, are not safely published by
    // a race.
    private volatile byte @Nullable [] json;

    // Immutable list of the encodings in use, newest first. Deliberately racy: a lost entry is encoded again.
    private volatile @Nullable Encoded encoded;

    /** The bytes of this object in one more form. */
    private record Encoded(
            Encoding encoding, byte[] bytes, @Nullable Encoded next) {}

    // Deliberately racy: the map is immutable, and every thread computes an equal one.
    private @Nullable Map<String, String> labels;

    /** Wraps a tree whose {@code metadata.resourceVersion} must equal the revision. */
    private StoredObject(String key, long revision, JsonObject tree, boolean outdated) {
        this.key = key;
        this.revision = revision;
        this.tree = tree;
        this.outdated = outdated;
    }

    /** Returns {@code namespace/name}; the name alone if the object has no namespace. */
    public String key() {
        return key;
    }

    /** Returns the revision of the write. */
    public long revision() {
        return revision;
    }

    /** Returns the object. */
    public JsonObject tree() {
        return tree;
    }

    /** Returns whether upstream's storage holds another form, which the next update replaces even if it changes nothing. */
    public boolean outdated() {
        return outdated;
    }

    /** Returns the encoded object. The array is shared: callers must not modify it. */
    public byte[] json() {
        byte[] bytes = json;
        if (bytes == null) {
            bytes = tree.toBytes();
            json = bytes;
        }
        return bytes;
    }

    /**
     * Returns the object in another form, which is computed once. The array is shared: callers must not modify it. O(the
     * number of forms in use).
     */
    public byte[] encoded(Encoding encoding) {
        for (Encoded known = encoded; known != null; known = known.next()) {
            if (known.encoding() == encoding) {
                return known.bytes();
            }
        }
        byte[] bytes = encoding.encode(tree);
        Encoded others = encoded;
        encoded = new Encoded(encoding, bytes, isFull(others) ? null : others);
        return bytes;
    }

    /** The bytes of a form that is no longer in use must not stay as long as the object. */
    private static boolean isFull(@Nullable Encoded encoded) {
        int length = 0;
        for (Encoded known = encoded; known != null; known = known.next()) {
            length++;
        }
        return length >= MAX_ENCODINGS;
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

    /** Returns an object that is not stored, for the result of a dry run. */
    public static StoredObject unsaved(String key, JsonObject tree) {
        return new StoredObject(key, 0, tree, false);
    }

    /** Returns the same object with another revision, as a deletion event shows it. */
    StoredObject at(long otherRevision) {
        return of(key, otherRevision, tree, outdated);
    }

    /** Returns the tree with the revision written into its metadata. */
    static StoredObject of(String key, long revision, JsonObject tree, boolean outdated) {
        JsonObject metadata = metadata(tree.object("metadata"), revision);
        return new StoredObject(key, revision, tree.with("metadata", metadata), outdated);
    }

    private static JsonObject metadata(JsonObject metadata, long revision) {
        JsonObject.Builder ordered = JsonObject.builder();
        for (String name : METADATA) {
            JsonValue value = metadata.get(name);
            if (name.equals(VERSION)) {
                ordered.put(VERSION, Long.toString(revision));
            } else if (value != null) {
                ordered.put(name, value);
            }
        }
        metadata.members().forEach((name, value) -> {
            if (!METADATA.contains(name)) {
                ordered.put(name, value);
            }
        });
        return ordered.build();
    }

    @Override
    public String toString() {
        return Objects.toString(key) + "@" + revision;
    }
}
