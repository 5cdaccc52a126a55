/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.json;

import io.kubeloop.api.GenericObject;
import io.kubeloop.api.KubeList;
import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectIdentity;
import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.ObjectMetaBuilder;
import io.kubeloop.api.PartialObjectMetadata;
import io.kubeloop.api.ResourceType;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.Status;
import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.client.DecodeException;
import io.kubeloop.api.client.ObjectCodec;
import io.kubeloop.api.client.WatchEvent;
import io.kubeloop.json.record.RecordAdapter;
import io.kubeloop.json.record.RecordReader;
import io.kubeloop.json.scan.JsonScanner;
import io.kubeloop.json.tree.JsonObject;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

/**
 * A codec for the classes of another library, so informers and clients hold objects of the types that a program
 * already uses.
 *
 * <p>The other library reads the JSON of each object straight from the buffer that received it; lists are still read
 * element by element. Metadata is read a second time, into {@link ObjectMeta}. Records of this project can be used
 * beside the foreign classes, with the same client.
 *
 * <p>Immutable and thread-safe. Methods that read a stream block as long as the stream does.
 */
public final class ForeignCodec implements ObjectCodec {

    /** Of an object that has nothing but metadata, to write metadata. */
    private static final ResourceType<GenericObject> HOLDERS =
            ResourceTypes.generic("", "v1", "holders", "Holder", ResourceType.Scope.NAMESPACED);

    private final JsonCodec json;
    private final ForeignModel model;
    private final Map<ResourceType<?>, Class<?>> classes;

    private ForeignCodec(JsonCodec json, ForeignModel model, Map<ResourceType<?>, Class<?>> classes) {
        this.json = json;
        this.model = model;
        this.classes = Map.copyOf(classes);
    }

    /** Returns a codec for a model, without classes yet. */
    public static ForeignCodec of(ForeignModel model) {
        return new ForeignCodec(JsonCodec.standard(), model, Map.of());
    }

    /**
     * Returns a codec that also reads and writes the objects of this resource as values of this class.
     *
     * @param resource the resource; its own Java type does not matter
     * @throws IllegalArgumentException if the codec has the class already
     */
    public ForeignCodec with(ResourceType<?> resource, Class<?> valueClass) {
        if (classes.containsValue(valueClass)) {
            throw new IllegalArgumentException("Cannot use " + valueClass.getName() + " for " + resource
                    + ": this codec uses it for " + type(valueClass));
        }
        Map<ResourceType<?>, Class<?>> more = new HashMap<>(classes);
        more.put(foreign(resource), valueClass);
        return new ForeignCodec(json, model, more);
    }

    /**
     * Returns the resource whose objects have this class, for a client or an informer. O(classes of this codec).
     *
     * @throws IllegalArgumentException if the codec does not have the class
     */
    @SuppressWarnings("unchecked") // with() puts the key of a class only beside that class
    public <V> ResourceType<ForeignObject<V>> type(Class<V> valueClass) {
        return (ResourceType<ForeignObject<V>>) classes.entrySet().stream()
                .filter(entry -> entry.getValue() == valueClass)
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("Cannot read or write " + valueClass.getName()
                        + ": this codec does not know it; add it with ForeignCodec.with(resource, class)"))
                .getKey();
    }

    /**
     * Returns an object with this value, for a write. Writes the value as JSON to read its metadata: O(size of the
     * object).
     *
     * @throws DecodeException if the model cannot write the value, or the value has no metadata
     */
    public <V> ForeignObject<V> object(V value) {
        return new ForeignObject<>(this, known(metadata(write(value))), value);
    }

    <V> ForeignObject<V> withMetadata(ForeignObject<V> object, ObjectMeta metadata) {
        V value = object.value();
        byte[] old = write(value);
        UnknownFields unknown = metadata.unknownFields().equals(UnknownFields.NONE)
                ? metadata(old).unknownFields()
                : metadata.unknownFields();
        ObjectMeta whole =
                ObjectMetaBuilder.builder(metadata).unknownFields(unknown).build();
        JsonObject holder = JsonObject.parse(json.encode(HOLDERS, GenericObject.of("v1", "Holder", whole)));
        byte[] changed = JsonObject.parse(old)
                .with("metadata", Objects.requireNonNullElse(holder.get("metadata"), JsonObject.EMPTY))
                .toBytes();
        @SuppressWarnings("unchecked") // getClass() of a V
        Class<V> valueClass = (Class<V>) value.getClass();
        try {
            return new ForeignObject<>(this, known(metadata), model.read(changed, 0, changed.length, valueClass));
        } catch (IOException e) {
            throw new DecodeException("cannot read " + object + " with other metadata: " + e.getMessage(), e);
        }
    }

    @Override
    public <T extends KubeObject> byte[] encode(ResourceType<T> type, T object) {
        return object instanceof ForeignObject<?> foreign ? write(foreign.value()) : json.encode(type, object);
    }

    @Override
    public <T extends KubeObject> T decode(ResourceType<T> type, InputStream in) {
        return isForeign(type) ? json.decode(reader(type), in) : json.decode(type, in);
    }

    @Override
    public ObjectIdentity decodeIdentity(byte[] document) {
        return json.decodeIdentity(document);
    }

    @Override
    public <T extends KubeObject> KubeList<T> decodeList(ResourceType<T> type, InputStream in) {
        return isForeign(type) ? json.decodeList(reader(type), type.kind(), in) : json.decodeList(type, in);
    }

    @Override
    public <T extends KubeObject> WatchEvent<T> decodeEvent(ResourceType<T> type, byte[] frame) {
        return decodeEvent(type, ByteBuffer.wrap(frame));
    }

    @Override
    public <T extends KubeObject> WatchEvent<T> decodeEvent(ResourceType<T> type, ByteBuffer frame) {
        return isForeign(type) ? json.decodeEvent(reader(type), frame) : json.decodeEvent(type, frame);
    }

    @Override
    public Status decodeStatus(int code, byte[] body) {
        return json.decodeStatus(code, body);
    }

    private static boolean isForeign(ResourceType<?> type) {
        return type.objectClass() == ForeignObject.class;
    }

    private <T extends KubeObject> Function<RecordReader, T> reader(ResourceType<T> type) {
        Class<?> valueClass = classes.get(type);
        if (valueClass == null) {
            throw new IllegalArgumentException("Cannot read " + type
                    + " as an object of another library: this codec has no class for it;"
                    + " add one with ForeignCodec.with(resource, class)");
        }
        return reader -> type.objectClass().cast(read(reader, type, valueClass));
    }

    private <V> ForeignObject<V> read(RecordReader reader, ResourceType<?> type, Class<V> valueClass) {
        JsonScanner scanner = reader.scanner();
        scanner.token();
        int start = scanner.position();
        ObjectMeta metadata = reader.object(
                        RecordAdapter.of(PartialObjectMetadata.class), type.kind(), type.apiVersion())
                .metadata();
        int end = scanner.position();
        try {
            return new ForeignObject<>(
                    this, known(metadata), model.read(scanner.window(), start, end - start, valueClass));
        } catch (IOException e) {
            throw scanner.rejected(valueClass.getName() + ": " + e.getMessage(), e);
        }
    }

    private ObjectMeta metadata(byte[] document) {
        return json.decode(
                        reader -> reader.object(RecordAdapter.of(PartialObjectMetadata.class), "", ""),
                        new ByteArrayInputStream(document))
                .metadata();
    }

    private byte[] write(Object value) {
        try {
            return model.write(value);
        } catch (IOException e) {
            throw new DecodeException("cannot write a " + value.getClass().getName() + ": " + e.getMessage(), e);
        }
    }

    /** The value contains the fields that the record lacks; a second copy of them would double the memory. */
    private static ObjectMeta known(ObjectMeta metadata) {
        return ObjectMetaBuilder.builder(metadata)
                .unknownFields(UnknownFields.NONE)
                .build();
    }

    @SuppressWarnings({"unchecked", "rawtypes"}) // a class object has no type parameter
    private static ResourceType<?> foreign(ResourceType<?> resource) {
        return new ResourceType(
                resource.group(),
                resource.version(),
                resource.plural(),
                resource.kind(),
                resource.scope(),
                ForeignObject.class);
    }
}
