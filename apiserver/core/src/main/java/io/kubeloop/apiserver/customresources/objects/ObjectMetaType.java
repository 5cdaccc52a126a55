/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.customresources.objects;

import io.kubeloop.json.gotext.GoText;
import io.kubeloop.json.schema.StructSchema;
import io.kubeloop.json.schema.TypeCatalog;
import io.kubeloop.json.schema.TypeSchema;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonNull;
import io.kubeloop.json.tree.JsonNumber;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonString;
import io.kubeloop.json.tree.JsonValue;
import java.time.DateTimeException;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Reads metadata as Go's {@code metav1.ObjectMeta}: unknown fields are dropped, and a field of a wrong type is an
 * error. Static functions only.
 */
public final class ObjectMetaType {

    /** The metadata cannot be read; the message is Go's. */
    public static final class MalformedMetadataException extends Exception {
        private static final long serialVersionUID = 1L;

        MalformedMetadataException(String message) {
            super(message, null, false, false);
        }
    }

    private ObjectMetaType() {}

    private static final class Holder {
        static final StructSchema TYPE =
                Objects.requireNonNull(TypeCatalog.kubernetes().named("meta.v1.ObjectMeta"));
    }

    /** Returns the type of the metadata of all objects. */
    public static StructSchema type() {
        return Holder.TYPE;
    }

    /**
     * Returns the metadata with known fields only.
     *
     * @param path the path of the metadata
     * @param unknown receives the paths of the dropped fields
     * @throws MalformedMetadataException if a field has the wrong type
     */
    public static JsonObject read(JsonValue metadata, String path, List<String> unknown)
            throws MalformedMetadataException {
        return metadata == JsonNull.NULL ? JsonObject.EMPTY : (JsonObject) read(type(), metadata, "", path, unknown);
    }

    /** Reads a part. As in Go, null in a list or a map is the zero value of its elements. */
    private static JsonValue read(TypeSchema type, JsonValue sent, String goPath, String path, List<String> unknown)
            throws MalformedMetadataException {
        JsonValue value =
                sent != JsonNull.NULL ? sent : type instanceof StructSchema ? JsonObject.EMPTY : new JsonString("");
        if (type instanceof StructSchema struct) {
            return readStruct(struct, object(value, goPath, goType(struct)), goPath, path, unknown);
        }
        if (type instanceof TypeSchema.MapOf map) {
            Map<String, JsonValue> members = new LinkedHashMap<>();
            for (Map.Entry<String, JsonValue> member :
                    object(value, goPath, "map[string]string").members().entrySet()) {
                members.put(
                        member.getKey(),
                        read(map.values(), member.getValue(), goPath, path + "." + member.getKey(), unknown));
            }
            return JsonObject.of(members);
        }
        if (type instanceof TypeSchema.ListOf list) {
            if (!(value instanceof JsonArray array)) {
                throw wrongType(value, goPath, "[]" + goType(list.elements()));
            }
            List<JsonValue> elements = new ArrayList<>();
            for (int i = 0; i < array.size(); i++) {
                elements.add(read(list.elements(), array.get(i), goPath, path + "[" + i + "]", unknown));
            }
            return JsonArray.of(elements);
        }
        if (type instanceof TypeSchema.Scalar scalar) {
            checkScalar(scalar, value, goPath);
        }
        return value;
    }

    private static JsonObject readStruct(
            StructSchema struct, JsonObject object, String goPath, String path, List<String> unknown)
            throws MalformedMetadataException {
        if (struct.fields().isEmpty()) {
            return object; // a type whose content is opaque, such as FieldsV1
        }
        Map<String, JsonValue> members = new LinkedHashMap<>();
        for (Map.Entry<String, JsonValue> member : object.members().entrySet()) {
            String name = member.getKey();
            StructSchema.Field field = struct.field(name);
            if (field == null) {
                if (struct.others() == null) {
                    unknown.add(path + "." + name);
                } else {
                    members.put(name, member.getValue());
                }
            } else if (member.getValue() != JsonNull.NULL) {
                String at = (goPath.isEmpty() ? "ObjectMeta" : goPath) + "." + name;
                JsonValue read = read(field.type(), member.getValue(), at, path + "." + name, unknown);
                if (!isOmitted(field, read)) {
                    members.put(name, read);
                }
            }
        }
        return JsonObject.of(members);
    }

    /** Returns whether Go does not encode this value of a field. */
    private static boolean isOmitted(StructSchema.Field field, JsonValue value) {
        return field.go().omitsEmpty()
                && !field.go().pointer()
                && (value.equals(new JsonString(""))
                        || value.equals(JsonNumber.of(0))
                        || value.equals(JsonArray.EMPTY)
                        || value.equals(JsonObject.EMPTY));
    }

    private static JsonObject object(JsonValue value, String goPath, String expected)
            throws MalformedMetadataException {
        if (value instanceof JsonObject object) {
            return object;
        }
        throw wrongType(value, goPath, expected);
    }

    private static void checkScalar(TypeSchema.Scalar scalar, JsonValue value, String goPath)
            throws MalformedMetadataException {
        boolean fits = switch (scalar) {
            case INT32, INT64 -> value instanceof JsonNumber number && number.toLong() != null;
            case BOOLEAN -> GoText.schemaType(value).equals("boolean");
            default -> value instanceof JsonString;
        };
        if (!fits) {
            throw wrongType(value, goPath, goType(scalar));
        }
        if (scalar == TypeSchema.Scalar.TIME && value instanceof JsonString text) {
            try {
                var unused = OffsetDateTime.parse(text.value());
            } catch (DateTimeException e) {
                String shown = GoText.quoted(text.value());
                throw new MalformedMetadataException("parsing time " + shown
                        + " as \"2006-01-02T15:04:05Z07:00\": cannot parse " + shown + " as \"2006\"");
            }
        }
    }

    private static String goType(TypeSchema type) {
        if (type instanceof StructSchema struct) {
            return struct.name().substring(struct.name().indexOf('.') + 1);
        }
        if (!(type instanceof TypeSchema.Scalar scalar)) {
            return "interface {}";
        }
        return switch (scalar) {
            case INT32 -> "int32";
            case INT64 -> "int64";
            case BOOLEAN -> "bool";
            default -> "string";
        };
    }

    private static MalformedMetadataException wrongType(JsonValue value, String goPath, String expected) {
        String found = GoText.schemaType(value).replace("integer", "number").replace("boolean", "bool");
        return new MalformedMetadataException("json: cannot unmarshal " + found + " into Go "
                + (goPath.isEmpty() ? "value" : "struct field " + goPath) + " of type " + expected);
    }
}
