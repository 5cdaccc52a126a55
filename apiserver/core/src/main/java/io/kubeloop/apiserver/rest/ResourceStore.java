/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.rest;

import io.kubeloop.api.ResourceType;
import io.kubeloop.apiserver.apply.FieldManagers;
import io.kubeloop.apiserver.fielderrors.FieldErrors;
import io.kubeloop.apiserver.objectmeta.Meta;
import io.kubeloop.apiserver.storage.Bucket;
import io.kubeloop.apiserver.storage.Encoding;
import io.kubeloop.apiserver.storage.Snapshot;
import io.kubeloop.apiserver.storage.StoredObject;
import io.kubeloop.apiserver.storage.codec.Conversion;
import io.kubeloop.apiserver.storage.codec.StorageCodec;
import io.kubeloop.apiserver.typed.TypedJson;
import io.kubeloop.json.schema.StructSchema;
import io.kubeloop.json.tree.JsonObject;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.WeakHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One served version of a resource with its bucket in the storage. Immutable; equal only to itself.
 *
 * <p>Objects have two forms. A client reads and writes the served form. The storage, the strategy and admission use the
 * stored form, which is the same unless the resource has several versions.
 *
 * <p>A resource with a conversion webhook differs: its strategy and admission use the served form, and {@link #read}
 * and {@link #written} convert at the border of the storage. For all other resources both return their argument.
 */
public final class ResourceStore {

    private final ResourceDefinition definition;
    private final Bucket bucket;
    private final @Nullable Conversion conversion;
    private final @Nullable StorageCodec codec;
    private final Encoding encoding;

    // Only with a codec: what readKept has converted, until the stored object is garbage. Compared by identity.
    private final Map<StoredObject, StoredObject> kept = Collections.synchronizedMap(new WeakHashMap<>());

    // Created at the first write. Threads that create it at the same time create equal ones.
    private volatile @Nullable FieldManagers fields;

    /**
     * Creates a store.
     *
     * @param bucket the bucket that holds the objects of all versions
     */
    public ResourceStore(ResourceDefinition definition, Bucket bucket) {
        this.definition = definition;
        this.bucket = bucket;
        conversion = definition.storage().conversion();
        codec = definition.storage().codec();
        encoding = conversion == null ? Encoding.STORED : tree -> served(tree).toBytes();
    }

    /** Returns the definition of the resource. */
    public ResourceDefinition definition() {
        return definition;
    }

    /** Returns the served resource. */
    public ServedResource resource() {
        return definition.resource();
    }

    /** Returns the resource type of the served version. */
    public ResourceType<?> type() {
        return definition.resource().type();
    }

    /** Returns the behavior that is specific to the kind. */
    public RestStrategy strategy() {
        return definition.strategy();
    }

    /** Returns the type of the objects in the served version. */
    public StructSchema schema() {
        return definition.schema();
    }

    /**
     * Returns the managers of the fields of the objects.
     *
     * @param creation creates them at the first call
     */
    public FieldManagers fields(Function<ResourceStore, FieldManagers> creation) {
        FieldManagers present = fields;
        if (present == null) {
            present = creation.apply(this);
            fields = present;
        }
        return present;
    }

    /** Returns the bucket that holds the objects of all versions. */
    public Bucket bucket() {
        return bucket;
    }

    /** Returns whether new objects are stored in the served version. */
    public boolean isStorageVersion() {
        return definition.storage().apiVersion().equals(type().apiVersion());
    }

    /** Returns the {@code apiVersion} of the objects with which the strategy and admission work. */
    public String workingVersion() {
        return codec == null ? definition.storage().apiVersion() : type().apiVersion();
    }

    /** Returns whether a webhook converts the objects. */
    public boolean isConvertedByWebhook() {
        return codec != null;
    }

    /**
     * Returns a stored object in the form with which the strategy and admission work.
     *
     * @throws StatusException if a webhook cannot convert it
     */
    public StoredObject read(StoredObject stored) {
        return codec == null
                ? stored
                : stored.as(codec.decode(List.of(stored.tree())).get(0));
    }

    /** As {@link #read}; the result is kept for the next call, for readers that see the same object often. */
    public StoredObject readKept(StoredObject stored) {
        return codec == null ? stored : readKept(List.of(stored)).get(0);
    }

    /**
     * As {@link #readKept(StoredObject)} for several objects, in the same order; one request to the webhook converts
     * those that are not kept.
     */
    public List<StoredObject> readKept(List<StoredObject> stored) {
        if (codec == null) {
            return stored;
        }
        List<StoredObject> missing =
                stored.stream().filter(object -> !kept.containsKey(object)).toList();
        if (!missing.isEmpty()) {
            List<JsonObject> trees =
                    codec.decode(missing.stream().map(StoredObject::tree).toList());
            for (int i = 0; i < trees.size(); i++) {
                kept.put(missing.get(i), missing.get(i).as(trees.get(i)));
            }
        }
        // The caller holds the stored objects, so none of the entries is garbage.
        List<StoredObject> all = new ArrayList<>(stored.size());
        stored.forEach(object -> all.add(Objects.requireNonNull(kept.get(object))));
        return all;
    }

    /**
     * Returns the object that the storage keeps.
     *
     * @param object an object with which the strategy and admission work
     * @throws StatusException if a webhook cannot convert it
     */
    public JsonObject written(JsonObject object) {
        JsonObject form = codec == null ? object : codec.encode(object);
        return definition.decoder().requiresKind() ? TypedJson.withNumbersOfGo(form) : form;
    }

    /**
     * Returns an object of another version of the resource as this version works with it.
     *
     * @param from the other version
     * @param object an object with which the strategy and admission of the other version work
     * @throws StatusException if a webhook cannot convert it
     */
    public JsonObject adopted(ResourceStore from, JsonObject object) {
        return codec == null || from == this
                ? object
                : codec.decode(List.of(object)).get(0);
    }

    /** Returns the served form of a stored object. */
    public JsonObject served(JsonObject stored) {
        return conversion == null ? stored : conversion.fromStorage(stored);
    }

    /** Returns the stored form of an object in the served form. */
    public JsonObject stored(JsonObject served) {
        return conversion == null ? served : conversion.toStorage(served);
    }

    /** Returns the stored form of the name of a field in a field selector; null if it is not supported. */
    public @Nullable String storedField(String served) {
        return conversion == null ? served : conversion.storageField(served);
    }

    /** Returns the encoded object in the served form. The array is shared: callers must not modify it. */
    public byte[] json(StoredObject object) {
        return object.encoded(encoding);
    }

    /** Returns the same bytes, and keeps them for the next list as long as memory suffices. */
    public byte[] listedJson(StoredObject object) {
        return object.listed(encoding);
    }

    /** Returns the storage key. Keys sort as upstream's do: by the string {@code namespace/name}. */
    public String key(String namespace, String name) {
        return type().isNamespaced() ? namespace + "/" + name : name;
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
     * @throws StatusException 404 if it is null
     */
    public StoredObject require(@Nullable StoredObject found, String name) {
        if (found == null) {
            throw StatusException.notFound(resource(), name);
        }
        return found;
    }

    /** Returns the failure of an object with these validation errors. */
    public StatusException invalid(String name, FieldErrors errors) {
        return StatusException.invalid(
                storedGroup(), type().kind(), name, strategy().declaresRules() ? errors.distinct() : errors);
    }

    /** Returns the group of the stored form, which is that of upstream's internal type; empty for the core group. */
    public String storedGroup() {
        String stored = definition.storage().apiVersion();
        return stored.substring(0, Math.max(0, stored.indexOf('/')));
    }

    /** Returns the resource. */
    @Override
    public String toString() {
        return type().toString();
    }
}
