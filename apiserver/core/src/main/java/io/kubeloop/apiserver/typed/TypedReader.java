/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.typed;

import io.kubeloop.api.client.DecodeException;
import io.kubeloop.json.gotext.GoText;
import io.kubeloop.json.scan.JsonScanner;
import io.kubeloop.json.schema.GoTypes;
import io.kubeloop.json.schema.StructSchema;
import io.kubeloop.json.schema.StructSchema.Field;
import io.kubeloop.json.schema.TypeCatalog;
import io.kubeloop.json.schema.TypeSchema;
import io.kubeloop.json.schema.TypeSchema.ListOf;
import io.kubeloop.json.schema.TypeSchema.MapOf;
import io.kubeloop.json.schema.TypeSchema.Scalar;
import io.kubeloop.json.schema.ZeroValues;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonString;
import io.kubeloop.json.tree.JsonValue;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Reads one document against a type.
 *
 * <p>As in Go, a value of a wrong type does not end the decoding, and the first such error is thrown at the end. A
 * value that a type's own decoder rejects, such as a malformed time, ends the decoding at once and replaces earlier
 * errors. Confined to one thread.
 */
final class TypedReader {

    private static final StructSchema JSON_SCHEMA =
            Objects.requireNonNull(TypeCatalog.kubernetes().named("apiextensions.v1.JSONSchemaProps"));

    private final JsonScanner in;
    private final StrictErrors strict = new StrictErrors();

    /** The field path of the current value, including embedded structs. */
    private final List<String> fields = new ArrayList<>();

    /** The Go name of the struct that contains the current field. */
    private String struct = "";

    /** The first error that did not end the decoding; empty if there is none. */
    private String saved = "";

    TypedReader(JsonScanner in) {
        this.in = in;
    }

    List<String> strictErrors() {
        return strict.errors();
    }

    JsonObject typed(StructSchema type) {
        JsonValue value = null;
        if (in.token() == '{') {
            value = struct(type, null);
        } else if (!in.takeNull()) {
            mismatch(GoTypes.qualified(type.name()));
        }
        in.end();
        return finished(value == null ? ZeroValues.of(type) : value);
    }

    JsonArray typedList(StructSchema elements) {
        TypeSchema type = new ListOf(elements, TypeSchema.ListType.ATOMIC, List.of());
        JsonValue value = null;
        if (in.token() == '[') {
            value = list(elements, new Place(anonymous(type), null));
        } else if (!in.takeNull()) {
            mismatch(GoTypes.name(type));
        }
        in.end();
        if (!saved.isEmpty()) {
            throw new DecodeException(saved, null);
        }
        return value == null ? JsonArray.EMPTY : (JsonArray) value;
    }

    /**
     * Reads one value of a type with its own decoder, such as a time.
     *
     * @throws DecodeException if the document is not a value of this type
     */
    void single(Scalar type) {
        var unused = scalar(type, in.token(), new Place(anonymous(type), null));
        if (!saved.isEmpty()) {
            throw new DecodeException(saved, null);
        }
    }

    private static Field anonymous(TypeSchema type) {
        return new Field("", type, false, null, List.of(), StructSchema.PatchStrategy.DEFAULT);
    }

    JsonObject untyped() {
        JsonValue value = JsonObject.EMPTY;
        if (in.token() == '{') {
            value = new UntypedReader(in, strict).value();
        } else if (!in.takeNull()) {
            mismatch("map[string]interface {}");
        }
        in.end();
        return finished(value);
    }

    private JsonObject finished(JsonValue value) {
        if (!saved.isEmpty()) {
            throw new DecodeException(saved, null);
        }
        return (JsonObject) value;
    }

    /** Returns the value, or null for Go's zero value. */
    private @Nullable JsonValue value(TypeSchema type, Place place, @Nullable JsonValue previous) {
        int token = in.token();
        if (token == 'n') {
            in.skipValue();
            return null;
        }
        if (type instanceof Scalar scalar) {
            return scalar(scalar, token, place);
        }
        if (type instanceof StructSchema other && token == '{') {
            return struct(other, previous instanceof JsonObject object ? object : null);
        }
        if (type instanceof ListOf list && token == '[') {
            return list(list.elements(), place);
        }
        if (type instanceof MapOf map && token == '{') {
            return map(map.values(), place, previous instanceof JsonObject object ? object : JsonObject.EMPTY);
        }
        if (type instanceof TypeSchema.Any any) {
            return any(any, place, token);
        }
        mismatch(place.typeName());
        return null;
    }

    private JsonObject struct(StructSchema type, @Nullable JsonObject base) {
        String outerStruct = struct;
        int outerFields = fields.size();
        int outerPath = strict.length();
        String name = type.name().substring(type.name().lastIndexOf('.') + 1);
        Map<String, @Nullable JsonValue> values = new HashMap<>();
        in.beginObject();
        while (in.hasNextMember()) {
            int from = in.name();
            String key = in.text(from, in.nameEnd());
            Field field = type.field(key);
            if (field == null) {
                strict.unknown(key);
                in.skipValue();
                continue;
            }
            boolean isDuplicate = values.containsKey(key);
            if (isDuplicate) {
                strict.duplicate(key);
            }
            JsonValue previous = isDuplicate ? values.get(key) : base == null ? null : base.get(key);
            struct = name;
            fields.addAll(field.go().embedded());
            fields.add(key);
            strict.push(key);
            JsonValue value = value(field.type(), new Place(field, null), previous);
            values.put(key, value == null && keepsOnNull(field) ? previous : value);
            strict.truncate(outerPath);
            fields.subList(outerFields, fields.size()).clear();
            struct = outerStruct;
        }
        return ZeroValues.complete(type, values, base);
    }

    /** Returns whether {@code null} keeps the value of an earlier occurrence of the field. */
    private static boolean keepsOnNull(Field field) {
        return !field.go().pointer() && (field.type() instanceof StructSchema || ZeroValues.isPlain(field.type()));
    }

    private JsonArray list(TypeSchema type, Place place) {
        List<JsonValue> elements = new ArrayList<>();
        Place inside = new Place(place.field, place);
        int path = strict.length();
        in.beginArray();
        while (in.hasNextElement()) {
            strict.push(elements.size());
            JsonValue element = value(type, inside, null);
            elements.add(element == null ? ZeroValues.ofElement(type) : element);
            strict.truncate(path);
        }
        return JsonArray.of(elements);
    }

    private JsonObject map(TypeSchema type, Place place, JsonObject base) {
        Map<String, JsonValue> members = new LinkedHashMap<>(base.members());
        Map<String, Boolean> seen = new HashMap<>();
        Place inside = new Place(place.field, place);
        int path = strict.length();
        in.beginObject();
        while (in.hasNextMember()) {
            int from = in.name();
            String key = in.text(from, in.nameEnd());
            if (seen.put(key, true) != null) {
                strict.duplicate(key);
            }
            strict.push(key);
            JsonValue value = value(type, inside, null);
            members.put(key, value == null ? ZeroValues.ofElement(type) : value);
            strict.truncate(path);
        }
        return JsonObject.of(members);
    }

    /** Reads a value of a type with its own JSON decoder, or a value without a type. */
    private @Nullable JsonValue any(TypeSchema.Any type, Place place, int token) {
        return switch (type.name()) {
            case "v1.JSONSchemaPropsOrBool" -> {
                if (token == '{') {
                    yield nested(place, JSON_SCHEMA);
                }
                if (token != 't' && token != 'f') {
                    throw new DecodeException("boolean or JSON schema expected", null);
                }
                yield new UntypedReader(in, StrictErrors.OFF).value();
            }
            case "v1.JSONSchemaPropsOrArray" -> alternatives(place, token, JSON_SCHEMA);
            case "v1.JSONSchemaPropsOrStringArray" -> alternatives(place, token, Scalar.STRING);
            case "" -> new UntypedReader(in, strict).value();
            default -> new UntypedReader(in, StrictErrors.OFF).value();
        };
    }

    /** Reads a JSON schema, or a list of these elements. Like Go, ignores every other value. */
    private @Nullable JsonValue alternatives(Place place, int token, TypeSchema elements) {
        if (token == '{') {
            return nested(place, JSON_SCHEMA);
        }
        if (token == '[') {
            JsonValue list = nested(place, new ListOf(elements, TypeSchema.ListType.ATOMIC, List.of()));
            return list instanceof JsonArray array && array.isEmpty() ? null : list;
        }
        in.skipValue();
        return null;
    }

    /**
     * Reads a value as a nested Go decoder does: without strict errors, and with every error ending the outer decoding.
     */
    private @Nullable JsonValue nested(Place place, TypeSchema type) {
        String outerSaved = saved;
        saved = "";
        strict.suspend();
        JsonValue value = value(type, new Place(place.field, null).ofType(type), null);
        strict.resume();
        if (!saved.isEmpty()) {
            throw new DecodeException(saved, null);
        }
        saved = outerSaved;
        return value;
    }

    private @Nullable JsonValue scalar(Scalar type, int token, Place place) {
        boolean isNumber = token == '-' || (token >= '0' && token <= '9');
        boolean isString = token == '"';
        switch (type) {
            case STRING -> {
                if (isString) {
                    return new JsonString(text());
                }
            }
            case BOOLEAN -> {
                if (token == 't' || token == 'f') {
                    return new UntypedReader(in, StrictErrors.OFF).value();
                }
            }
            case INT32, INT64, NUMBER -> {
                if (isNumber) {
                    String text = raw();
                    JsonValue number = ScalarForms.number(type, text);
                    if (number == null) {
                        save("number " + text, place.typeName());
                    }
                    return number;
                }
            }
            case BYTES -> {
                if (isString) {
                    return bytes(text());
                }
                if (token == '[') {
                    JsonArray numbers = list(Scalar.INT32, new Place(place.field, place));
                    return ScalarForms.base64(numbers);
                }
            }
            case QUANTITY -> {
                return ScalarForms.quantity(raw());
            }
            case INT_OR_STRING -> {
                return intOrString(isNumber, isString);
            }
            case TIME, MICRO_TIME, DURATION -> {
                if (!isString) {
                    mismatch("string");
                    throw new DecodeException(saved, null);
                }
                return ScalarForms.time(type, text());
            }
        }
        mismatch(place.typeName());
        return null;
    }

    private JsonValue intOrString(boolean isNumber, boolean isString) {
        if (isString) {
            return new JsonString(text());
        }
        String earlier = saved;
        saved = "";
        if (isNumber) {
            String text = raw();
            JsonValue number = ScalarForms.number(Scalar.INT32, text);
            if (number != null) {
                saved = earlier;
                return number;
            }
            save("number " + text, "int32");
        } else {
            mismatch("int32");
        }
        throw new DecodeException(saved, null);
    }

    private @Nullable JsonValue bytes(String text) {
        int wrong = Base64Errors.firstError(text);
        if (wrong >= 0) {
            if (saved.isEmpty()) {
                saved = "illegal base64 data at input byte " + wrong;
            }
            return null;
        }
        return ScalarForms.base64(text);
    }

    private String text() {
        int from = in.string("a string");
        return in.text(from, in.position() - 1);
    }

    /** Consumes a value and returns its text. */
    private String raw() {
        in.token();
        int from = in.position();
        in.skipValue();
        return in.rawText(from, in.position());
    }

    /** Records that the next value is not of this type, and skips the value. */
    private void mismatch(String type) {
        String found = GoText.jsonType(in.token());
        in.skipValue();
        save(found, type);
    }

    private void save(String found, String type) {
        if (saved.isEmpty()) {
            String into = fields.isEmpty()
                    ? "value of type "
                    : "struct field " + struct + "." + String.join(".", fields) + " of type ";
            saved = "json: cannot unmarshal " + found + " into Go " + into + type;
        }
    }

    /** The position of a value, for error messages: a field, or an element of the value at another position. */
    private static final class Place {

        private final Field field;
        private final @Nullable Place outer;
        private @Nullable TypeSchema type;

        Place(Field field, @Nullable Place outer) {
            this.field = field;
            this.outer = outer;
        }

        Place ofType(TypeSchema type) {
            this.type = type;
            return this;
        }

        TypeSchema type() {
            if (type != null) {
                return type;
            }
            return outer == null ? field.type() : GoTypes.elements(outer.type());
        }

        String typeName() {
            if (type != null) {
                return GoTypes.name(type);
            }
            return outer == null ? GoTypes.name(field) : GoTypes.elementName(outer.typeName(), type());
        }
    }
}
