/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.json;

import io.kubeloop.api.GenericObject;
import io.kubeloop.api.KubeList;
import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectIdentity;
import io.kubeloop.api.PartialObjectMetadata;
import io.kubeloop.api.ResourceType;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.Status;
import io.kubeloop.api.client.ObjectCodec;
import io.kubeloop.api.client.WatchEvent;
import io.kubeloop.json.codec.EventDecoder;
import io.kubeloop.json.codec.IdentityDecoder;
import io.kubeloop.json.codec.ListDecoder;
import io.kubeloop.json.codec.StatusDecoder;
import io.kubeloop.json.record.RecordAdapter;
import io.kubeloop.json.record.RecordReader;
import io.kubeloop.json.record.RecordWriter;
import io.kubeloop.json.record.SharedValues;
import io.kubeloop.json.scan.JsonScanner;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Reads objects from JSON and writes them as JSON.
 *
 * <p>Decoding reads the members that have a component in the record, in one pass and without a tree. All other members
 * stay bytes (see {@link io.kubeloop.api.UnknownFields}), and encoding writes them back. Encoding also restores
 * explicit nulls and empty values. Absent members stay absent, where Go's encoder would add zero values to some kinds.
 *
 * <p>Thread-safe. All objects of one codec share equal strings, so a process should use one codec. Besides the objects,
 * a codec holds at most one idle buffer each for reading and writing (64 KB to 1 MB), and at most 16,384 shared
 * strings. Methods that read a stream block as long as the stream does; an interrupt has the effect that the stream
 * defines.
 */
public final class JsonCodec implements ObjectCodec {

    /** Twice as many, and as many again in front of an object, still fit an array. */
    private static final int LARGEST_MAX_OBJECT_BYTES = 512 << 20;

    // Invariant J1: one thread at a time uses a reader or writer. The thread that takes it out of its holder owns it
    // until it puts it back. Locks: none. A thread that finds the holder empty makes another; the last one put back
    // stays.
    private final AtomicReference<@Nullable RecordReader> idleReader = new AtomicReference<>();
    private final AtomicReference<@Nullable RecordWriter> idleWriter = new AtomicReference<>();

    private final SharedValues shared = new SharedValues();
    private final Set<Class<?>> types;

    private final int maxObjectBytes;

    private JsonCodec(Set<Class<?>> types, int maxObjectBytes) {
        this.types = Set.copyOf(types);
        this.maxObjectBytes = maxObjectBytes;
    }

    /**
     * Returns a codec for every type in {@link ResourceTypes}, for {@link GenericObject} and for
     * {@link PartialObjectMetadata}.
     */
    public static JsonCodec standard() {
        Set<Class<?>> types = new HashSet<>(Set.of(GenericObject.class, PartialObjectMetadata.class));
        ResourceTypes.all().forEach(type -> types.add(type.objectClass()));
        return new JsonCodec(types, JsonScanner.MAX_OBJECT_BYTES);
    }

    /**
     * Returns a codec that reads no object from a stream that has this many bytes or more. Default: 64 MiB.
     *
     * <p>The limit also holds for one element of a list, and so for each string of an object. It does not hold for a
     * whole list, which the transport limits, nor for the frames of a watch. A larger object is a {@link
     * io.kubeloop.api.client.DecodeException} as soon as the limit is reached. The new codec shares no strings with
     * this one.
     *
     * @param bytes at least 1, at most 512 MiB
     */
    public JsonCodec withMaxObjectBytes(int bytes) {
        if (bytes < 1 || bytes > LARGEST_MAX_OBJECT_BYTES) {
            throw new IllegalArgumentException(
                    "maxObjectBytes must be from 1 to " + LARGEST_MAX_OBJECT_BYTES + ", got " + bytes);
        }
        return new JsonCodec(types, bytes);
    }

    /**
     * Returns a codec that also reads and writes the objects of these resources.
     *
     * <p>The class of the objects must be a record that implements {@link KubeObject}. Its JSON form is derived from
     * its components:
     *
     * <ul>
     *   <li>A component is the member of the same name; {@link io.kubeloop.api.JsonMember} changes the name.
     *   <li>{@code ObjectMeta metadata} is required. {@code kind} and {@code apiVersion} come from the resource.
     *   <li>{@code UnknownFields unknownFields} is required, in records inside it as well. It keeps all members that
     *       have no component, so an object that is read and written back loses none.
     *   <li>The types are {@code String}, {@code int}, {@code long}, {@code boolean}, {@code Integer}, {@code Long},
     *       {@code Boolean}, {@link io.kubeloop.api.Time}, {@link io.kubeloop.api.MicroTime}, {@link
     *       io.kubeloop.api.value.IntOrString}, records, and {@code List<E>} or {@code Map<String, E>} of strings or
     *       records.
     *   <li>When a member is absent or null, the component receives {@code ""}, 0, false, an empty collection, or a
     *       record of absent members. It receives null if it is annotated with JSpecify's {@code @Nullable}, or has a
     *       boxed type or one of the two times.
     *   <li>An {@code int}, {@code long}, {@code boolean} or {@code IntOrString} is always written, 0 and false too,
     *       since a server replaces an absent member by the default of the definition. An optional number has a boxed
     *       type, or a {@code @Nullable IntOrString}: null is absent. {@link io.kubeloop.api.JsonMember#omitZero()}
     *       makes 0 and false absent.
     *   <li>A record has at most 64 members. It must be public in an exported package, or in a package that is opened
     *       to module {@code io.kubeloop.json}; on the class path any record will do.
     * </ul>
     *
     * <p>The new codec shares no strings with this one.
     *
     * @throws IllegalArgumentException if a record has another form; the message names the record, the component and
     *     the supported types
     */
    public JsonCodec with(ResourceType<?>... resources) {
        Set<Class<?>> more = new HashSet<>(types);
        for (ResourceType<?> resource : resources) {
            RecordAdapter.check(resource.objectClass());
            more.add(resource.objectClass());
        }
        return new JsonCodec(more, maxObjectBytes);
    }

    SharedValues shared() {
        return shared;
    }

    int maxObjectBytes() {
        return maxObjectBytes;
    }

    <T extends KubeObject> RecordAdapter<T> adapter(ResourceType<T> type) {
        if (!types.contains(type.objectClass())) {
            throw new IllegalArgumentException("Cannot read or write " + type + " as "
                    + type.objectClass().getName() + ": this codec does not know that type;"
                    + " add it with JsonCodec.with(resourceType)");
        }
        return RecordAdapter.of(type.objectClass());
    }

    @Override
    public <T extends KubeObject> byte[] encode(ResourceType<T> type, T object) {
        RecordAdapter<T> adapter = adapter(type);
        if (object instanceof PartialObjectMetadata) {
            throw new UnsupportedOperationException("Cannot write " + object.objectName() + " of " + type
                    + ": only its metadata was read, and writing that would drop the rest; patch it, or read it whole");
        }
        RecordWriter idle = idleWriter.getAndSet(null);
        RecordWriter writer = idle == null ? new RecordWriter() : idle;
        writer.reset();
        writer.object(adapter, type.kind(), type.apiVersion(), object);
        byte[] document = writer.toByteArray();
        idleWriter.set(writer);
        return document;
    }

    @Override
    public <T extends KubeObject> T decode(ResourceType<T> type, InputStream in) {
        RecordAdapter<T> adapter = adapter(type);
        return decode(reader -> reader.object(adapter, type), in);
    }

    <T extends KubeObject> T decode(Function<RecordReader, T> object, InputStream in) {
        return withReader(reader -> {
            JsonScanner json = reader.open(in);
            if (json.token() != '{') {
                throw json.expected("an object");
            }
            T decoded = object.apply(reader);
            json.end();
            return decoded;
        });
    }

    @Override
    public ObjectIdentity decodeIdentity(byte[] document) {
        return withReader(reader -> IdentityDecoder.decode(reader, document));
    }

    @Override
    public <T extends KubeObject> KubeList<T> decodeList(ResourceType<T> type, InputStream in) {
        RecordAdapter<T> adapter = adapter(type);
        String kind = adapter.takesAnyKind() ? "" : type.kind();
        return decodeList(reader -> reader.object(adapter, type), kind, in);
    }

    <T extends KubeObject> KubeList<T> decodeList(Function<RecordReader, T> element, String kind, InputStream in) {
        return withReader(reader -> new ListDecoder<>(reader, element, kind).decode(in));
    }

    @Override
    public <T extends KubeObject> WatchEvent<T> decodeEvent(ResourceType<T> type, byte[] frame) {
        return decodeEvent(type, ByteBuffer.wrap(frame));
    }

    @Override
    public <T extends KubeObject> WatchEvent<T> decodeEvent(ResourceType<T> type, ByteBuffer frame) {
        RecordAdapter<T> adapter = adapter(type);
        return decodeEvent(reader -> reader.object(adapter, type), frame);
    }

    <T extends KubeObject> WatchEvent<T> decodeEvent(Function<RecordReader, T> object, ByteBuffer frame) {
        return withReader(reader -> new EventDecoder<>(reader, object)
                .decode(frame.array(), frame.arrayOffset() + frame.position(), frame.remaining()));
    }

    @Override
    public Status decodeStatus(int code, byte[] body) {
        return withReader(reader -> StatusDecoder.decode(reader, code, body));
    }

    private <R> R withReader(Function<RecordReader, R> use) {
        RecordReader idle = idleReader.getAndSet(null);
        RecordReader reader = idle == null ? new RecordReader(shared, maxObjectBytes) : idle;
        try {
            return use.apply(reader);
        } finally {
            reader.release();
            idleReader.set(reader);
        }
    }
}
