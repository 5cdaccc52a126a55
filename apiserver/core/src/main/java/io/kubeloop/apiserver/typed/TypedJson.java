/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.typed;

import io.kubeloop.api.client.DecodeException;
import io.kubeloop.json.scan.JsonScanner;
import io.kubeloop.json.schema.StatedKind;
import io.kubeloop.json.schema.StructSchema;
import io.kubeloop.json.schema.ZeroValues;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonValue;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Decodes JSON documents against a type, as kube-apiserver does.
 *
 * <p>The decoded object has the form of a Go struct that is encoded again: without unknown fields and nulls, with the
 * zero values that Go does not omit, and with times, quantities and bytes in canonical form. Error messages are those
 * of the server (upstream: {@code sigs.k8s.io/json}). Names of fields are case-sensitive. Thread-safe: stateless. O(n)
 * in the size of the document.
 */
public final class TypedJson {

    private static final int LARGEST_EXCERPT = 200;

    private TypedJson() {}

    /**
     * A decoded object.
     *
     * @param object the object in its canonical form
     * @param strictErrors the unknown and duplicate fields in the order of the document, at most 100, such as {@code
     *     unknown field "spec.foo"}
     */
    public record Decoded(JsonObject object, List<String> strictErrors) {

        /** Copies the errors. */
        public Decoded {
            strictErrors = List.copyOf(strictErrors);
        }

        /** Returns all strict errors in the form of one error of the server; empty if there are none. */
        public String strictError() {
            return strictErrors.isEmpty() ? "" : "strict decoding error: " + String.join(", ", strictErrors);
        }
    }

    /**
     * Decodes an object of a built-in kind.
     *
     * @param json a JSON document in UTF-8
     * @throws DecodeException if the document is malformed, or a field has a value of another type; its message is the
     *     server's
     */
    public static Decoded decode(StructSchema type, byte[] json) {
        return run(json, new TypedReader(new JsonScanner(json)), type);
    }

    /**
     * Decodes an object of a built-in kind from a tree, which has no duplicate fields.
     *
     * @throws DecodeException if a field has a value of another type; its message is the server's
     */
    public static Decoded decode(StructSchema type, JsonObject object) {
        return decode(type, object.toBytes());
    }

    /**
     * Returns a struct with fields that have been decoded, in the form of {@link #decode(StructSchema, byte[])}.
     *
     * @param fields the fields that are present, each in its canonical form
     */
    public static JsonObject struct(StructSchema type, Map<String, JsonValue> fields) {
        return ZeroValues.complete(type, fields, null);
    }

    /**
     * Decodes an object without a type, such as a custom resource or a patch. The strict errors are duplicate fields.
     *
     * @throws DecodeException if the document is malformed or no object; its message is the server's
     */
    public static Decoded untyped(byte[] json) {
        return run(json, new TypedReader(new JsonScanner(json)), null);
    }

    /**
     * A decoded list.
     *
     * @param list the list with its elements in their canonical form
     * @param strictErrors the unknown and duplicate fields, such as {@code unknown field "[0].foo"}
     */
    public record DecodedList(JsonArray list, List<String> strictErrors) {

        /** Copies the errors. */
        public DecodedList {
            strictErrors = List.copyOf(strictErrors);
        }
    }

    /**
     * Decodes a list of structs.
     *
     * @param elements the type of the elements
     * @throws DecodeException if the document is malformed, or a field has a value of another type; its message is the
     *     server's
     */
    public static DecodedList decodeList(StructSchema elements, byte[] json) {
        TypedReader reader = new TypedReader(new JsonScanner(json));
        try {
            return new DecodedList(reader.typedList(elements), reader.strictErrors());
        } catch (DecodeException e) {
            throw asServer(json, e);
        }
    }

    /**
     * Converts a JSON tree to a type as the server does after a strategic merge or an apply, without encoding it
     * (upstream: {@code runtime.DefaultUnstructuredConverter}): {@code 3.0} is an integer. Unknown fields stay.
     *
     * @throws DecodeException if a field has a value of another type; its message is the server's
     */
    public static JsonObject convert(StructSchema type, JsonObject tree) {
        return TreeConversion.convert(type, tree);
    }

    /**
     * Returns an object without a type, such as a custom resource, with its numbers as Go writes them: {@code 2.0}
     * becomes {@code 2}. Returns the object itself if no number changes.
     */
    public static JsonObject withNumbersOfGo(JsonObject object) {
        return TreeConversion.untyped(object);
    }

    private static Decoded run(byte[] json, TypedReader reader, @Nullable StructSchema type) {
        try {
            JsonObject object = type == null ? reader.untyped() : reader.typed(type);
            return new Decoded(object, reader.strictErrors());
        } catch (DecodeException e) {
            throw asServer(json, e);
        }
    }

    /** Returns the server's error about a malformed document; null if the document is well-formed. */
    public static @Nullable String syntaxError(byte[] json) {
        return JsonSyntax.firstError(json);
    }

    /** Returns the server's syntax error if the document is malformed, otherwise the given error. */
    private static DecodeException asServer(byte[] json, DecodeException e) {
        String syntax = JsonSyntax.firstError(json);
        return syntax == null ? e : new DecodeException(syntax, e);
    }

    /**
     * Reads the kind of a document, and checks that the document is well-formed.
     *
     * @throws DecodeException if the document is malformed, no object, or its kind is no string; the message is the
     *     server's, which begins with {@code couldn't get version/kind}
     */
    public static StatedKind identity(byte[] json) {
        try {
            return IdentityReader.read(new JsonScanner(json));
        } catch (DecodeException e) {
            throw new DecodeException(
                    "couldn't get version/kind; json parse error: "
                            + asServer(json, e).getMessage(),
                    e);
        }
    }

    /**
     * Returns the beginning of a document as the server quotes it in errors: as text if it is an object, otherwise in
     * hexadecimal.
     */
    public static String excerpt(byte[] document) {
        if (document.length == 0) {
            return "<empty>";
        }
        int length = Math.min(document.length, LARGEST_EXCERPT);
        String text = document[0] == '{'
                ? new String(document, 0, length, StandardCharsets.UTF_8)
                : HexFormat.of().formatHex(document, 0, length);
        return length < document.length ? text + " ..." : text;
    }
}
