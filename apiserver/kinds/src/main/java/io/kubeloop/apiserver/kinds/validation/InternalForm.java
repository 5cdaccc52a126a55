/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.validation;

import io.kubeloop.apiserver.fielderrors.FieldCursor;
import io.kubeloop.json.schema.StructSchema;
import io.kubeloop.json.schema.StructSchema.Field;
import io.kubeloop.json.schema.TypeCatalog;
import io.kubeloop.json.schema.TypeSchema;
import io.kubeloop.json.schema.TypeSchema.Scalar;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonBoolean;
import io.kubeloop.json.tree.JsonNull;
import io.kubeloop.json.tree.JsonNumber;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonString;
import io.kubeloop.json.tree.JsonValue;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The form in which upstream's messages show structs: the JSON of its internal Go types. These types have no json tags,
 * so their JSON uses the Go field names, in the order of declaration, and contains every zero value.
 */
public final class InternalForm {

    /** The fields of each type. {@code e2e/record-internal-forms.sh} records them. */
    private static final Map<String, List<Shown>> FIELDS = read();

    /**
     * A field of an internal type.
     *
     * @param name its Go name
     * @param field its name in documents; empty if documents do not have it
     * @param zero its value if documents do not have it
     * @param isValue whether it has no pointer, although that of the document has one
     */
    private record Shown(String name, String field, JsonValue zero, boolean isValue) {

        static Shown of(StructSchema type, String text) {
            int mark = text.indexOf(':');
            if (mark >= 0) {
                return new Shown(text.substring(0, mark), "", JsonValue.parse(text.substring(mark + 1)), true);
            }
            boolean isValue = text.endsWith("!");
            String[] names = text.replace("!", "").split("=", 2);
            String field = names.length == 2
                    ? names[1]
                    : type.fields().keySet().stream()
                            .filter(names[0]::equalsIgnoreCase)
                            .findFirst()
                            .orElseThrow(() -> new IllegalStateException(type.name() + " has no field " + text));
            return new Shown(names[0], field, JsonNull.NULL, isValue);
        }
    }

    private InternalForm() {}

    private static Map<String, List<Shown>> read() {
        Map<String, List<Shown>> fields = new HashMap<>();
        try (InputStream in = Objects.requireNonNull(InternalForm.class.getResourceAsStream("internal.types"))) {
            new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().forEach(line -> {
                List<String> words = List.of(line.split(" ", -1));
                StructSchema type = TypeCatalog.kubernetes().named(words.get(0));
                if (type != null) { // null for a type of a version that is not served
                    fields.put(
                            type.name(),
                            words.stream()
                                    .skip(1)
                                    .map(word -> Shown.of(type, word))
                                    .toList());
                }
            });
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read internal.types", e);
        }
        return Map.copyOf(fields);
    }

    /** Returns the cursor with its object in this form; null stays null. */
    public static FieldCursor shown(String type, FieldCursor field) {
        return field.value() == null ? field : field.holding(of(type, field.shownObject()));
    }

    /** Returns the elements of a list in this form. */
    static JsonArray list(String type, FieldCursor list) {
        return JsonArray.of(list.items().stream()
                .map(item -> (JsonValue) of(type, item.shownObject()))
                .toList());
    }

    /**
     * Returns an object in this form.
     *
     * @param type the name of its type in the catalog
     */
    public static JsonObject of(String type, JsonObject object) {
        return struct(Objects.requireNonNull(TypeCatalog.kubernetes().named(type), type), object);
    }

    private static JsonObject struct(StructSchema type, JsonObject object) {
        List<Shown> fields = FIELDS.get(type.name());
        if (fields == null) {
            return ordered(type, object); // the common types have no internal form
        }
        JsonObject.Builder shown = JsonObject.builder();
        Field metadata = type.field("metadata");
        if (metadata != null && metadata.type() instanceof StructSchema common) {
            ordered(common, object.object("metadata")).members().forEach(shown::put); // Go embeds the metadata
        }
        for (Shown some : fields) {
            Field field = type.field(some.field());
            shown.put(
                    some.name(),
                    field == null
                            ? some.zero()
                            : value(field.type(), field.go().pointer() && !some.isValue(), object.get(field.name())));
        }
        return shown.build();
    }

    /**
     * Returns the object with its fields in the order of their declaration; the tags of the common types omit empty
     * ones.
     */
    private static JsonObject ordered(StructSchema type, JsonObject object) {
        JsonObject.Builder shown = JsonObject.builder();
        type.fields().values().forEach(field -> {
            JsonValue value = object.get(field.name());
            if (value != null && !value.equals(JsonObject.EMPTY) && !value.equals(JsonArray.EMPTY)) {
                shown.put(field.name(), value(field.type(), true, value));
            }
        });
        return shown.build();
    }

    private static JsonValue value(TypeSchema type, boolean pointer, @Nullable JsonValue value) {
        if (value == null || value == JsonNull.NULL) {
            return pointer ? JsonNull.NULL : zero(type);
        }
        if (type instanceof StructSchema struct && value instanceof JsonObject object) {
            return struct(struct, object);
        }
        if (type instanceof TypeSchema.ListOf list && value instanceof JsonArray array) {
            List<JsonValue> elements = new ArrayList<>();
            array.forEach(element -> elements.add(value(list.elements(), false, element)));
            return JsonArray.of(elements);
        }
        return type instanceof TypeSchema.MapOf && value instanceof JsonObject object
                ? JsonObject.of(new TreeMap<>(object.members()))
                : value;
    }

    private static JsonValue zero(TypeSchema type) {
        if (type instanceof StructSchema struct) {
            return struct(struct, JsonObject.EMPTY);
        }
        if (!(type instanceof Scalar scalar)) {
            return JsonNull.NULL;
        }
        return switch (scalar) {
            case STRING -> new JsonString("");
            case INT32, INT64, NUMBER, INT_OR_STRING -> JsonNumber.of(0);
            case BOOLEAN -> JsonBoolean.FALSE;
            case QUANTITY -> new JsonString("0");
            case DURATION -> new JsonString("0s");
            case BYTES, TIME, MICRO_TIME -> JsonNull.NULL;
        };
    }
}
