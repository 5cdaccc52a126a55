/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.json.protobuf;

import io.kubeloop.api.client.DecodeException;
import io.kubeloop.json.schema.StatedKind;
import io.kubeloop.json.tree.JsonObject;
import org.jspecify.annotations.Nullable;

/**
 * Translates documents between Kubernetes' protocol buffers and trees of JSON. An {@link Envelope} surrounds every
 * message.
 *
 * <p>The schema of the built-in kinds ({@link io.kubeloop.json.schema.TypeCatalog}) has the numbers of the fields and
 * the zero values that Go omits in JSON. Fields that are not in the schema are dropped only if the caller requests it;
 * otherwise the member {@code ~protobuf} keeps their bytes, and becomes these fields again. Thread-safe: stateless.
 * O(n) in the size of the document.
 */
public final class ProtobufDocument {

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

    /** Returns the bytes with which each document begins. */
    public static byte[] magic() {
        return Envelope.MAGIC.clone();
    }

    /** Returns the message of a kind; null if the kind is unknown or has none. */
    public static @Nullable MessageType message(String apiVersion, String kind) {
        return Messages.kind(apiVersion, kind);
    }

    /**
     * Returns the fields of a message with these members.
     *
     * @throws NotInSchemaException if a member is not in the schema, or has another type there
     */
    public static byte[] fields(MessageType type, JsonObject members) {
        return new ProtobufOfJson(false).message(type, members);
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
        return new WireWriter()
                .raw(Envelope.MAGIC)
                .message(Envelope.TYPE, new WireWriter().string(1, apiVersion).string(2, kind))
                .bytes(Envelope.RAW, new ProtobufOfJson(lenient).message(type, object))
                .toByteArray();
    }

    /**
     * Returns the JSON document that the server would have sent.
     *
     * @param lenient whether to omit fields that are not in the schema, and the nulls that Go writes for absent fields
     * @throws NotInSchemaException if the kind is not in the schema
     * @throws DecodeException if the bytes are not such a document
     */
    public static JsonObject toJson(byte[] document, boolean lenient) {
        TreeOfProtobuf.Mode mode = lenient ? TreeOfProtobuf.Mode.LENIENT : TreeOfProtobuf.Mode.WHOLE;
        return tree(document, 0, document.length, mode);
    }

    /**
     * Returns the object of a document in the form in which the API server decodes its JSON: with the zero values that
     * Go does not omit, and with canonical quantities.
     *
     * @throws NotInSchemaException if the kind is not in the schema
     * @throws DecodeException if the bytes are not such a document, or a quantity is malformed
     */
    public static JsonObject decode(byte[] document) {
        return tree(document, 0, document.length, TreeOfProtobuf.Mode.DECODED);
    }

    /**
     * Returns the kind that a document states. Does not read its object.
     *
     * @throws DecodeException if the bytes do not begin as a document does
     */
    public static StatedKind identity(byte[] document) {
        WireReader in = new WireReader(document, 0, document.length);
        Envelope envelope = new Envelope();
        envelope.readHead(in, document.length);
        return new StatedKind(envelope.apiVersion(in), envelope.kind(in));
    }

    private static JsonObject tree(byte[] document, int from, int to, TreeOfProtobuf.Mode mode) {
        return new TreeOfProtobuf(new WireReader(document, from, to), mode).document(to);
    }

    /**
     * Returns one event of a watch as JSON.
     *
     * @param event the message {@code WatchEvent} without its length; it has no envelope
     * @throws NotInSchemaException if the kind is not in the schema
     * @throws DecodeException if the bytes are not such an event
     */
    public static JsonObject eventToJson(byte[] event) {
        EventMessage frame = new EventMessage();
        frame.read(new WireReader(event, 0, event.length), event.length);
        return JsonObject.builder()
                .put("type", frame.type())
                .put("object", tree(event, frame.from(), frame.to(), TreeOfProtobuf.Mode.WHOLE))
                .build();
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
