/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.json;

import io.kubeloop.api.GenericObject;
import io.kubeloop.api.KubeList;
import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectIdentity;
import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.PartialObjectMetadata;
import io.kubeloop.api.ResourceType;
import io.kubeloop.api.Status;
import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.api.client.DecodeException;
import io.kubeloop.api.client.ObjectCodec;
import io.kubeloop.api.client.WatchEvent;
import io.kubeloop.json.codec.MessageListDecoder;
import io.kubeloop.json.codec.StatusDecoder;
import io.kubeloop.json.protobuf.Envelope;
import io.kubeloop.json.protobuf.EventMessage;
import io.kubeloop.json.protobuf.MessageType;
import io.kubeloop.json.protobuf.NotInSchemaException;
import io.kubeloop.json.protobuf.ProtobufDocument;
import io.kubeloop.json.protobuf.WireReader;
import io.kubeloop.json.record.MessageReader;
import io.kubeloop.json.record.MessageWriter;
import io.kubeloop.json.record.RecordAdapter;
import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes the objects of the built-in kinds in Kubernetes' protocol buffers, and all others in JSON. The first
 * bytes of a document show its form.
 *
 * <p>The messages are derived from the components of the records, as their JSON form is, and from the schema of the
 * built-in kinds. Fields that have no component stay bytes (see {@link io.kubeloop.api.UnknownFields}): encoding writes
 * them back, and they become JSON where a caller requests that. Fields that the schema does not know, of a newer
 * release, are kept too; in JSON they are the member {@code ~protobuf}.
 *
 * <p>Thread-safe. It shares the strings and the limits of the JSON codec that it was made with. Besides these, it holds
 * at most one idle buffer each for reading and writing (64 KB to 1 MB). Methods that read a stream block as long as the
 * stream does; an interrupt has the effect that the stream defines.
 */
public final class ProtobufCodec implements ObjectCodec {

    private static final List<String> JSON_ONLY = List.of(ApiRequest.JSON);
    private static final List<String> BOTH = List.of(ApiRequest.PROTOBUF, ApiRequest.JSON);

    private static final byte[] MAGIC = ProtobufDocument.magic();

    /** Readers look at eight bytes at a time. */
    private static final int SLACK = Long.BYTES;

    // Invariant: that of JsonCodec (J1), for these holders. Locks: none.
    private final AtomicReference<@Nullable Reading> idleReader = new AtomicReference<>();
    private final AtomicReference<@Nullable MessageWriter> idleWriter = new AtomicReference<>();

    private final JsonCodec json;

    private ProtobufCodec(JsonCodec json) {
        this.json = json;
    }

    /** Returns a codec that uses this one for JSON, its records and its limits. */
    public static ProtobufCodec of(JsonCodec json) {
        return new ProtobufCodec(json);
    }

    /** The state of one thread that reads. */
    private static final class Reading {

        final MessageReader reader;
        final MessageListDecoder lists;
        final Envelope envelope = new Envelope();
        final EventMessage frame = new EventMessage();

        Reading(JsonCodec json) {
            reader = new MessageReader(json.shared());
            lists = new MessageListDecoder(reader, json.maxObjectBytes());
        }

        /** Reads an envelope in the open document, and returns the message of its kind. */
        MessageType message(WireReader in, int to) {
            envelope.read(in, to);
            in.moveTo(envelope.from());
            MessageType message = ProtobufDocument.message(envelope.apiVersion(in), envelope.kind(in));
            if (message == null) {
                throw new DecodeException(
                        "the kind " + envelope.kind(in) + " of " + envelope.apiVersion(in) + " has no protocol buffers",
                        null);
            }
            return message;
        }

        /** Reads the object in the envelope that begins here. */
        <T extends KubeObject> T object(WireReader in, int to, RecordAdapter<T> adapter, ResourceType<T> type) {
            MessageType message = message(in, to);
            String kind = envelope.kind(in);
            String apiVersion = envelope.apiVersion(in);
            if (!adapter.takesAnyKind() && !(kind.equals(type.kind()) && apiVersion.equals(type.apiVersion()))) {
                throw new DecodeException(
                        "expected " + type.kind() + " of " + type.apiVersion() + ", found " + kind + " of "
                                + apiVersion,
                        null);
            }
            return reader.object(adapter, message, envelope.to(), kind, apiVersion);
        }
    }

    @Override
    public List<String> mediaTypes(ResourceType<?> type) {
        boolean isKnown = type.objectClass() == PartialObjectMetadata.class
                || ProtobufDocument.message(type.apiVersion(), type.kind()) != null;
        return isKnown ? BOTH : JSON_ONLY;
    }

    @Override
    public <T extends KubeObject> byte[] encode(ResourceType<T> type, T object) {
        return json.encode(type, object);
    }

    @Override
    public <T extends KubeObject> ApiRequest.Body encodeBody(ResourceType<T> type, T object) {
        MessageType message = ProtobufDocument.message(type.apiVersion(), type.kind());
        if (message == null || object instanceof PartialObjectMetadata) {
            return ApiRequest.Body.json(encode(type, object));
        }
        RecordAdapter<T> adapter = json.adapter(type);
        MessageWriter idle = idleWriter.getAndSet(null);
        MessageWriter writer = idle == null ? new MessageWriter() : idle;
        writer.reset();
        try {
            writer.document(adapter, message, type.kind(), type.apiVersion(), object);
            return new ApiRequest.Body(ApiRequest.PROTOBUF, writer.toByteArray());
        } catch (NotInSchemaException e) {
            return ApiRequest.Body.json(encode(type, object)); // JSON can hold any member
        } finally {
            idleWriter.set(writer);
        }
    }

    @Override
    public <T extends KubeObject> T decode(ResourceType<T> type, InputStream in) {
        RecordAdapter<T> adapter = json.adapter(type);
        PushbackInputStream start = new PushbackInputStream(in, MAGIC.length);
        return isProtobuf(start)
                ? decodeWhole(readAll(start), (reading, wire, to) -> reading.object(wire, to, adapter, type))
                : json.decode(type, start);
    }

    @Override
    public ObjectIdentity decodeIdentity(byte[] document) {
        if (!Envelope.isNext(document, 0, document.length)) {
            return json.decodeIdentity(document);
        }
        ObjectMeta metadata = decodeWhole(document, (reading, wire, to) -> {
            MessageType message = reading.message(wire, to);
            return reading.reader
                    .record(RecordAdapter.of(PartialObjectMetadata.class), message, reading.envelope.to())
                    .metadata();
        });
        return ObjectIdentity.of(metadata);
    }

    @Override
    public <T extends KubeObject> KubeList<T> decodeList(ResourceType<T> type, InputStream in) {
        RecordAdapter<T> adapter = json.adapter(type);
        PushbackInputStream start = new PushbackInputStream(in, MAGIC.length);
        if (!isProtobuf(start)) {
            return json.decodeList(type, start);
        }
        String kind = adapter.takesAnyKind() ? "" : type.kind();
        return withReader(reading -> reading.lists.decode(start, adapter, kind));
    }

    @Override
    public <T extends KubeObject> WatchEvent<T> decodeEvent(ResourceType<T> type, byte[] frame) {
        return decodeEvent(type, ByteBuffer.wrap(frame));
    }

    @Override
    public <T extends KubeObject> WatchEvent<T> decodeEvent(ResourceType<T> type, ByteBuffer frame) {
        int from = frame.arrayOffset() + frame.position();
        // A frame in protocol buffers begins with the tag of a field, and never with the brace of an object.
        if (!frame.hasRemaining() || frame.array()[from] == '{') {
            return json.decodeEvent(type, frame);
        }
        RecordAdapter<T> adapter = json.adapter(type);
        return decode(frame.array(), from, from + frame.remaining(), (reading, wire, to) -> {
            reading.frame.read(wire, to);
            wire.moveTo(reading.frame.from());
            return event(reading, wire, adapter, type);
        });
    }

    private static <T extends KubeObject> WatchEvent<T> event(
            Reading reading, WireReader wire, RecordAdapter<T> adapter, ResourceType<T> type) {
        int to = reading.frame.to();
        return switch (reading.frame.type()) {
            case "ADDED" -> new WatchEvent.Added<>(reading.object(wire, to, adapter, type));
            case "MODIFIED" -> new WatchEvent.Modified<>(reading.object(wire, to, adapter, type));
            case "DELETED" -> new WatchEvent.Deleted<>(reading.object(wire, to, adapter, type));
            case "BOOKMARK" -> {
                MessageType message = reading.message(wire, to);
                yield new WatchEvent.Bookmark<>(reading.reader
                        .object(RecordAdapter.of(GenericObject.class), message, reading.envelope.to(), "", "")
                        .metadata());
            }
            case "ERROR" -> {
                MessageType message = reading.message(wire, to);
                yield new WatchEvent.Failed<>(
                        reading.reader.record(RecordAdapter.of(Status.class), message, reading.envelope.to()));
            }
            default ->
                throw new DecodeException(
                        "expected the type of a watch event (ADDED, MODIFIED, DELETED, BOOKMARK, ERROR), found \""
                                + reading.frame.type() + "\"",
                        null);
        };
    }

    @Override
    public Status decodeStatus(int code, byte[] body) {
        if (!Envelope.isNext(body, 0, body.length)) {
            return json.decodeStatus(code, body);
        }
        try {
            return decodeWhole(body, (reading, wire, to) -> {
                MessageType message = reading.message(wire, to);
                wire.require(reading.envelope.kind(wire).equals("Status"));
                Status status = reading.reader.record(RecordAdapter.of(Status.class), message, reading.envelope.to());
                return StatusDecoder.withCode(status, code);
            });
        } catch (DecodeException e) {
            return json.decodeStatus(
                    code,
                    ("(in protocol buffers that cannot be read: " + e.getMessage() + ")")
                            .getBytes(StandardCharsets.UTF_8));
        }
    }

    private static boolean isProtobuf(PushbackInputStream in) {
        byte[] start = new byte[MAGIC.length];
        try {
            int length = in.readNBytes(start, 0, start.length);
            in.unread(start, 0, length);
            return Arrays.equals(start, MAGIC);
        } catch (IOException e) {
            throw new DecodeException("cannot read a document: " + e.getMessage(), e);
        }
    }

    private byte[] readAll(InputStream in) {
        try {
            byte[] document = in.readNBytes(json.maxObjectBytes());
            if (document.length == json.maxObjectBytes()) {
                throw new DecodeException("an object has more bytes than the limit of " + document.length, null);
            }
            return document;
        } catch (IOException e) {
            throw new DecodeException("cannot read a document: " + e.getMessage(), e);
        }
    }

    /** Reads a document that ends at this offset. */
    private interface Use<R> {
        R read(Reading reading, WireReader wire, int to);
    }

    private <R> R decodeWhole(byte[] document, Use<R> use) {
        return decode(document, 0, document.length, use);
    }

    private <R> R decode(byte[] array, int from, int to, Use<R> use) {
        if (array.length - to < SLACK) {
            byte[] copy = Arrays.copyOf(Arrays.copyOfRange(array, from, to), to - from + SLACK);
            return withReader(reading -> use.read(reading, reading.reader.open(copy, 0, to - from), to - from));
        }
        return withReader(reading -> use.read(reading, reading.reader.open(array, from, to), to));
    }

    private <R> R withReader(Function<Reading, R> use) {
        Reading idle = idleReader.getAndSet(null);
        Reading reading = idle == null ? new Reading(json) : idle;
        try {
            return use.apply(reading);
        } finally {
            reading.reader.release();
            reading.lists.release();
            idleReader.set(reading);
        }
    }
}
