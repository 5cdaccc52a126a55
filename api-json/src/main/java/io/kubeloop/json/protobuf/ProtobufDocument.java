/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.json.protobuf;

import io.kubeloop.api.client.DecodeException;
import io.kubeloop.json.tree.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Translates documents between Kubernetes' protocol buffers and JSON. An envelope surrounds every message: four magic
 * bytes, the kind, the API version, and the bytes of the message (upstream: {@code
 * apimachinery/pkg/runtime/serializer/protobuf}, {@code runtime.Unknown}).
 *
 * <p>The schema of the built-in kinds ({@link io.kubeloop.json.schema.TypeCatalog}) has the numbers of the fields and
 * the zero values that Go omits in JSON. Fields that are not in the schema are dropped only if the caller requests it.
 * Thread-safe: stateless. O(n) in the size of the document.
 */
public final class ProtobufDocument {

    private static final byte[] MAGIC = {'k', '8', 's', 0};

    private static final int TYPE = 1;
    private static final int RAW = 2;
    private static final int CONTENT_ENCODING = 3;
    private static final int CONTENT_TYPE = 4;

    private ProtobufDocument() {}

    /**
     * Returns whether objects of this resource are of a kind that has a message.
     *
     * @param apiVersion such as {@code v1} or {@code apps/v1}
     * @param resource the name in paths, such as {@code pods}
     */
    public static boolean knows(String apiVersion, String resource) {
        return Messages.hasResource(apiVersion, resource);
    }

    /**
     * Returns a JSON document as protocol buffers, or null if its kind has no message.
     *
     * @param lenient whether to omit members that are not in the schema, rather than reject them
     * @throws NotInSchemaException if a member is not in the schema, or has another type there
     */
    public static byte @Nullable [] ofJson(JsonObject object, boolean lenient) {
        String apiVersion = object.string("apiVersion");
        String kind = object.string("kind");
        MessageType type = Messages.kind(apiVersion, kind);
        if (type == null) {
            return null;
        }
        byte[] rest = new WireWriter()
                .message(TYPE, new WireWriter().string(1, apiVersion).string(2, kind))
                .bytes(RAW, new ProtobufOfJson(lenient).message(type, object))
                .toByteArray();
        byte[] document = Arrays.copyOf(MAGIC, MAGIC.length + rest.length);
        System.arraycopy(rest, 0, document, MAGIC.length, rest.length);
        return document;
    }

    /** Returns whether bytes begin with the magic bytes of an envelope. */
    static boolean isEnvelope(byte[] bytes, int from, int to) {
        return to - from >= MAGIC.length && Arrays.equals(bytes, from, from + MAGIC.length, MAGIC, 0, MAGIC.length);
    }

    /** Writes the JSON document of a message in its envelope. */
    static void unwrap(byte[] bytes, int from, int to, boolean lenient, JsonOutput out) {
        if (!isEnvelope(bytes, from, to)) {
            throw new DecodeException("the document does not begin as protocol buffers of Kubernetes do", null);
        }
        WireReader in = new WireReader(bytes, from + MAGIC.length, to);
        String apiVersion = "";
        String kind = "";
        int rawFrom = to;
        int rawTo = to;
        while (in.position() < to) {
            int tag = in.tag();
            in.require((tag & 7) == WireReader.LENGTH);
            int end = in.end();
            switch (tag >>> 3) {
                case TYPE -> {
                    while (in.position() < end) {
                        int field = in.tag();
                        in.require((field & 7) == WireReader.LENGTH);
                        int textEnd = in.end();
                        String text = text(bytes, in.position(), textEnd);
                        in.moveTo(textEnd);
                        if (field >>> 3 == 1) {
                            apiVersion = text;
                        } else {
                            kind = text;
                        }
                    }
                    in.requireWithin(end);
                }
                case RAW -> {
                    rawFrom = in.position();
                    rawTo = end;
                }
                case CONTENT_ENCODING, CONTENT_TYPE -> in.require(in.position() == end);
                default -> throw new NotInSchemaException("the envelope has a field with number " + (tag >>> 3));
            }
            in.moveTo(end);
        }
        MessageType type = Messages.kind(apiVersion, kind);
        if (type == null) {
            throw new NotInSchemaException("the kind " + kind + " of " + apiVersion);
        }
        out.raw(("{\"kind\":\"" + kind + "\",\"apiVersion\":\"" + apiVersion + "\"").getBytes(StandardCharsets.UTF_8));
        new JsonOfProtobuf(new WireReader(bytes, rawFrom, rawTo), out, lenient).members(type, rawTo);
        out.raw('}');
    }

    private static String text(byte[] bytes, int from, int to) {
        return new String(bytes, from, to - from, StandardCharsets.UTF_8);
    }

    /**
     * Returns the JSON document that the server would have sent, in UTF-8. Its members are in the order of the bytes.
     *
     * @param lenient whether to omit fields that are not in the schema, rather than reject them
     * @throws NotInSchemaException if the kind or a field is not in the schema
     * @throws DecodeException if the bytes are not such a document
     */
    public static byte[] toJson(byte[] document, boolean lenient) {
        JsonOutput out = new JsonOutput(2 * document.length + 64);
        unwrap(document, 0, document.length, lenient, out);
        return out.toByteArray();
    }

    /**
     * Returns one event of a watch as JSON.
     *
     * @param event the message {@code WatchEvent} without its length; it has no envelope
     * @throws NotInSchemaException if the kind or a field is not in the schema
     * @throws DecodeException if the bytes are not such an event
     */
    public static byte[] eventToJson(byte[] event) {
        WireReader in = new WireReader(event, 0, event.length);
        JsonOutput out = new JsonOutput(2 * event.length + 64);
        out.raw('{');
        while (in.position() < event.length) {
            int tag = in.tag();
            in.require((tag & 7) == WireReader.LENGTH);
            int end = in.end();
            out.separate();
            if (tag >>> 3 == 1) {
                out.raw("\"type\":".getBytes(StandardCharsets.US_ASCII));
                out.string(event, in.position(), end);
            } else {
                in.require(in.tag() == (1 << 3 | WireReader.LENGTH));
                int objectEnd = in.end();
                in.require(objectEnd <= end);
                out.raw("\"object\":".getBytes(StandardCharsets.US_ASCII));
                unwrap(event, in.position(), objectEnd, false, out);
            }
            in.moveTo(end);
        }
        out.raw('}');
        return out.toByteArray();
    }

    /**
     * Returns one event of a watch as the message {@code WatchEvent}; null if the kind of its object has no message.
     *
     * @param event the event, with a type and an object
     * @param lenient whether to omit members of the object that are not in the schema, rather than reject them
     * @throws NotInSchemaException if a member of the object is not in the schema, or has another type there
     */
    public static byte @Nullable [] eventOfJson(JsonObject event, boolean lenient) {
        byte[] document = ofJson(event.object("object"), lenient);
        if (document == null) {
            return null;
        }
        return new WireWriter()
                .string(1, event.string("type"))
                .message(2, new WireWriter().bytes(1, document))
                .toByteArray();
    }
}
