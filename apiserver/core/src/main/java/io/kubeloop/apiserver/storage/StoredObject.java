/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.storage;

import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonValue;
import java.lang.ref.SoftReference;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A stored object at one resource version: its tree, and its encoded bytes after a list.
 *
 * <p>Immutable. The first reader of the labels, or the first list, fills the cache; two concurrent readers store equal
 * values.
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
    private final long weight;

    // Immutable list of the encodings in use, newest first. Deliberately racy: a lost entry is encoded again. Volatile
    // because the contents of an array are not safely published by a race. Soft because a server whose memory is full
    // must keep its objects rather than their bytes, which are larger than a tree with shared parts.
    private volatile @Nullable SoftReference<Encoded> encoded;

    /** The bytes of this object in one more form. */
    private record Encoded(
            Encoding encoding, byte[] bytes, @Nullable Encoded next) {}

    // Deliberately racy: the map is immutable, and every thread computes an equal one.
    private @Nullable Map<String, String> labels;

    /** Wraps a tree whose {@code metadata.resourceVersion} must equal the revision. */
    private StoredObject(String key, long revision, JsonObject tree, boolean outdated, long weight) {
        this.weight = weight;
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

    /**
     * Returns whether upstream's storage holds another form, which the next update replaces even if it changes nothing.
     */
    public boolean outdated() {
        return outdated;
    }

    /**
     * Returns the object in a form, which is computed if {@link #listed} has not kept it. The array may be shared:
     * callers must not modify it. O(the number of forms in use).
     */
    public byte[] encoded(Encoding encoding) {
        byte[] known = find(kept(), encoding);
        return known == null ? encoding.encode(tree) : known;
    }

    /**
     * Returns the object in a form, which is kept for the next list as long as memory suffices. The array is shared:
     * callers must not modify it. O(the number of forms in use).
     */
    public byte[] listed(Encoding encoding) {
        Encoded others = kept();
        byte[] known = find(others, encoding);
        if (known != null) {
            return known;
        }
        byte[] bytes = encoding.encode(tree);
        encoded = new SoftReference<>(new Encoded(encoding, bytes, isFull(others) ? null : others));
        return bytes;
    }

    private @Nullable Encoded kept() {
        SoftReference<Encoded> reference = encoded;
        return reference == null ? null : reference.get();
    }

    private static byte @Nullable [] find(@Nullable Encoded newest, Encoding encoding) {
        for (Encoded known = newest; known != null; known = known.next()) {
            if (known.encoding() == encoding) {
                return known.bytes();
            }
        }
        return null;
    }

    /** The bytes of a form that is no longer in use must not stay as long as the object. */
    private static boolean isFull(@Nullable Encoded encoded) {
        int length = 0;
        for (Encoded known = encoded; known != null; known = known.next()) {
            length++;
        }
        return length >= MAX_ENCODINGS;
    }

    /** Returns about how many bytes of memory the object takes if it shares no part with others. */
    public long weight() {
        return weight;
    }

    /** Returns the labels; unmodifiable. */
    public Map<String, String> labels() {
        Map<String, String> read = labels;
        if (read == null) {
            read = Map.copyOf(tree.object("metadata", "labels").strings());
            labels = read;
        }
        return read;
    }

    /** Returns an object that is not stored, for the result of a dry run. */
    public static StoredObject unsaved(String key, JsonObject tree) {
        return new StoredObject(key, 0, tree, false, TreeWeight.of(tree));
    }

    /** Returns the same object in another form, which must have the same resource version. */
    public StoredObject as(JsonObject otherForm) {
        return new StoredObject(key, revision, otherForm, outdated, TreeWeight.of(otherForm));
    }

    /** Returns the same object with another revision, as a deletion event shows it. */
    StoredObject at(long otherRevision) {
        return of(key, otherRevision, tree, outdated, weight);
    }

    /** Returns the tree with the revision written into its metadata. */
    static StoredObject of(String key, long revision, JsonObject tree, boolean outdated, long weight) {
        JsonObject metadata = metadata(tree.object("metadata"), revision);
        return new StoredObject(key, revision, tree.with("metadata", metadata), outdated, weight);
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
