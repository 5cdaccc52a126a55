package io.kubeloop.json;

import io.kubeloop.api.GenericObject;
import io.kubeloop.api.KubeList;
import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectIdentity;
import io.kubeloop.api.ResourceType;
import io.kubeloop.api.Status;
import io.kubeloop.api.client.ObjectCodec;
import io.kubeloop.api.client.WatchEvent;
import java.io.InputStream;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Objects as JSON.
 *
 * <p>Decoding takes what the records have components for, in one pass and without a tree in between; everything else stays
 * the bytes it was (see {@link io.kubeloop.api.UnknownFields}), and encoding puts it back. Explicit nulls and empty values
 * come back as well; what was absent stays absent, where Go's encoder would add zero values to some kinds.
 *
 * <p>Thread-safe. Strings that many objects have in common are shared among all objects of one codec, so that a process does
 * best with one codec. Memory beside the objects: at most one idle buffer each for reading and writing (64 KB to 1 MB), and
 * the shared strings (at most 16384).
 */
public final class JsonCodec implements ObjectCodec {

    // Invariant. J1: a reader or writer is used by one thread at a time: who takes it out of its holder owns it until
    // he puts it back. Locks: none. Who finds the holder empty makes another, and the last one to be put back stays.
    private final AtomicReference<@Nullable RecordReader> idleReader = new AtomicReference<>();
    private final AtomicReference<@Nullable RecordWriter> idleWriter = new AtomicReference<>();

    private final StringPool pool = new StringPool();
    private final Map<Class<?>, ObjectAdapter<?>> adapters;

    private JsonCodec(Map<Class<?>, ObjectAdapter<?>> adapters) {
        this.adapters = Map.copyOf(adapters);
    }

    /**
     * Returns a codec for every type in {@link io.kubeloop.api.ResourceTypes}, for {@link GenericObject} and
     * {@link io.kubeloop.api.PartialObjectMetadata}.
     */
    public static JsonCodec standard() {
        return new JsonCodec(Adapters.BY_TYPE);
    }

    /** Returns a codec that also knows this type, or reads it differently. Shares nothing with this one. */
    public <T extends KubeObject> JsonCodec with(Class<T> type, ObjectAdapter<T> adapter) {
        Map<Class<?>, ObjectAdapter<?>> more = new HashMap<>(adapters);
        more.put(type, adapter);
        return new JsonCodec(more);
    }

    @SuppressWarnings("unchecked") // the map's values fit its keys
    private <T extends KubeObject> ObjectAdapter<T> adapter(ResourceType<T> type) {
        ObjectAdapter<?> adapter = adapters.get(type.objectClass());
        if (adapter == null) {
            throw new IllegalArgumentException("no adapter for "
                    + type.objectClass().getName() + " of resource " + type + ": add one to the codec");
        }
        return (ObjectAdapter<T>) adapter;
    }

    @Override
    public <T extends KubeObject> byte[] encode(ResourceType<T> type, T object) {
        ObjectAdapter<T> adapter = adapter(type);
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
        ObjectAdapter<T> adapter = adapter(type);
        return withReader(reader -> {
            JsonScanner json = reader.open(in);
            if (json.token() != '{') {
                throw json.expected("an object");
            }
            T object = reader.object(adapter, type);
            json.end();
            return object;
        });
    }

    @Override
    public ObjectIdentity decodeIdentity(byte[] document) {
        return withReader(reader -> IdentityDecoder.decode(reader, document));
    }

    @Override
    public <T extends KubeObject> KubeList<T> decodeList(ResourceType<T> type, InputStream in) {
        ObjectAdapter<T> adapter = adapter(type);
        return withReader(reader -> new ListDecoder<>(reader, adapter, type).decode(in));
    }

    @Override
    public <T extends KubeObject> WatchEvent<T> decodeEvent(ResourceType<T> type, byte[] frame) {
        ObjectAdapter<T> adapter = adapter(type);
        return withReader(reader -> new EventDecoder<>(reader, adapter, type).decode(frame));
    }

    @Override
    public Status decodeStatus(int code, byte[] body) {
        return withReader(reader -> StatusDecoder.decode(reader, code, body));
    }

    private <R> R withReader(Function<RecordReader, R> use) {
        RecordReader idle = idleReader.getAndSet(null);
        RecordReader reader = idle == null ? new RecordReader(pool) : idle;
        try {
            return use.apply(reader);
        } finally {
            reader.release();
            idleReader.set(reader);
        }
    }
}
