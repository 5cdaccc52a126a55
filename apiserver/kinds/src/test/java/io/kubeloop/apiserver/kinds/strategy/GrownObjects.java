/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.strategy;

import io.kubeloop.json.schema.StructSchema;
import io.kubeloop.json.schema.TypeCatalog;
import io.kubeloop.json.schema.TypeSchema;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonBoolean;
import io.kubeloop.json.tree.JsonNumber;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonString;
import io.kubeloop.json.tree.JsonValue;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/**
 * The variants of an object in which one list, map or text has any number of parts. A member that occurs in several
 * kinds, such as those of pods, is grown in the first only. Not thread-safe.
 */
final class GrownObjects {

    private static final int DEEPEST = 9;

    private final Set<String> done;
    private final BiConsumer<String, IntFunction<JsonObject>> consumer;

    /**
     * Creates a walk.
     *
     * @param done the members that were grown in other kinds; the walk adds its own
     * @param consumer receives each member's name, and the object by the number of parts of the member
     */
    GrownObjects(Set<String> done, BiConsumer<String, IntFunction<JsonObject>> consumer) {
        this.done = done;
        this.consumer = consumer;
    }

    void walk(JsonObject object) {
        StructSchema type = Objects.requireNonNull(
                TypeCatalog.kubernetes().type(object.string("apiVersion"), object.string("kind")));
        walk(object.string("kind"), type, object, part -> part, 0);
    }

    /** Puts a part into the object around it. */
    private interface Holder {
        JsonValue with(JsonValue part);
    }

    private void walk(String path, StructSchema type, JsonObject object, Holder holder, int depth) {
        for (StructSchema.Field field : type.fields().values()) {
            if (depth > DEEPEST || !done.add(type.name() + "." + field.name())) {
                continue;
            }
            JsonValue present = object.get(field.name());
            JsonValue value = present == null ? sample(field, 0, 2) : present;
            Holder inner = part -> holder.with(object.with(field.name(), part));
            grow(path + "." + field.name(), field.type(), field.allowed(), value, inner, depth + 1);
        }
    }

    private void grow(String path, TypeSchema type, List<String> allowed, JsonValue value, Holder holder, int depth) {
        if (type instanceof StructSchema struct) {
            walk(path, struct, value instanceof JsonObject object ? object : JsonObject.EMPTY, holder, depth);
        } else if (type instanceof TypeSchema.ListOf list) {
            JsonValue first =
                    value instanceof JsonArray array && !array.elements().isEmpty()
                            ? array.elements().get(0)
                            : sample(list.elements(), "", List.of(), 0, 2);
            accept(
                    path + ", equal",
                    holder,
                    size -> JsonArray.of(
                            IntStream.range(0, size).mapToObj(i -> first).toList()));
            accept(
                    path + ", numbered",
                    holder,
                    size -> JsonArray.of(IntStream.range(0, size)
                            .mapToObj(i -> numbered(list.elements(), allowed, first, i))
                            .toList()));
            grow(
                    path + "[0]",
                    list.elements(),
                    allowed,
                    first,
                    part -> holder.with(JsonArray.of(List.of(part))),
                    depth);
        } else if (type instanceof TypeSchema.MapOf map) {
            JsonValue first =
                    value instanceof JsonObject object && !object.members().isEmpty()
                            ? object.members().values().iterator().next()
                            : sample(map.values(), "", List.of(), 0, 2);
            accept(path, holder, size -> members(size, i -> "k" + i, first));
            accept(path + ", prefixed", holder, size -> members(size, i -> "example.com/k" + i, first));
        } else if (type == TypeSchema.Scalar.STRING
                || type == TypeSchema.Scalar.BYTES
                || type == TypeSchema.Scalar.QUANTITY
                || type == TypeSchema.Scalar.INT_OR_STRING
                || type == TypeSchema.Scalar.DURATION) {
            for (String part : List.of("a", "1", "a.", "a,", "/", "-", "[", "\u00e9")) {
                accept(path + " of " + part, holder, size -> new JsonString(part.repeat(size)));
            }
        } else if (type instanceof TypeSchema.Any) {
            accept(path, holder, size -> members(size, i -> "k" + i, new JsonString("v")));
        }
    }

    private void accept(String path, Holder holder, IntFunction<JsonValue> grown) {
        consumer.accept(path, size -> (JsonObject) holder.with(grown.apply(size)));
    }

    private static JsonObject members(int size, IntFunction<String> key, JsonValue value) {
        Map<String, JsonValue> members = new LinkedHashMap<>();
        for (int i = 0; i < size; i++) {
            members.put(key.apply(i), value);
        }
        return JsonObject.of(members);
    }

    /** Returns a value whose own texts and numbers differ from those of other numbers. */
    private static JsonValue numbered(TypeSchema type, List<String> allowed, JsonValue value, int number) {
        if (type instanceof StructSchema struct && value instanceof JsonObject object) {
            JsonObject result = object;
            for (StructSchema.Field field : struct.fields().values()) {
                JsonValue member = object.get(field.name());
                if (member != null && !(field.type() instanceof TypeSchema.ListOf)) {
                    result = result.with(field.name(), numbered(field.type(), field.allowed(), member, number));
                }
            }
            return result;
        }
        if (!allowed.isEmpty()) {
            return new JsonString(allowed.get(number % allowed.size()));
        }
        if (value instanceof JsonString text && type == TypeSchema.Scalar.STRING) {
            String old = text.value();
            return new JsonString(
                    old.matches("[0-9]+(\\.[0-9]+){3}(/.*)?")
                            ? "10." + (number >> 16) + "." + (number >> 8 & 255) + "." + (number & 255)
                            : old.startsWith("/") ? old + number : "n" + number + "-" + old);
        }
        return type == TypeSchema.Scalar.INT32 || type == TypeSchema.Scalar.INT_OR_STRING
                ? JsonNumber.of(number % 65_535 + 1)
                : value;
    }

    private static JsonValue sample(StructSchema.Field field, int number, int depth) {
        return sample(field.type(), field.name(), field.allowed(), number, depth);
    }

    private static JsonValue sample(TypeSchema type, String name, List<String> allowed, int number, int depth) {
        if (type instanceof StructSchema struct) {
            Map<String, JsonValue> members = new LinkedHashMap<>();
            for (StructSchema.Field field : struct.fields().values()) {
                boolean small = field.type() instanceof TypeSchema.Scalar;
                if (depth > 0 && (field.required() || small)) {
                    members.put(field.name(), sample(field, number, depth - 1));
                }
            }
            return JsonObject.of(members);
        }
        if (type instanceof TypeSchema.ListOf list) {
            return JsonArray.of(
                    depth > 0 ? List.of(sample(list.elements(), name, allowed, number, depth - 1)) : List.of());
        }
        if (!(type instanceof TypeSchema.Scalar scalar)) {
            return JsonObject.EMPTY;
        }
        return switch (scalar) {
            case STRING -> new JsonString(allowed.isEmpty() ? "s" + number : allowed.get(number % allowed.size()));
            case BYTES -> new JsonString("QUFB");
            case INT32, INT64, NUMBER, INT_OR_STRING -> JsonNumber.of(number + 1);
            case BOOLEAN -> JsonBoolean.TRUE;
            case TIME -> new JsonString("2026-01-01T00:00:00Z");
            case MICRO_TIME -> new JsonString("2026-01-01T00:00:00.000000Z");
            case DURATION -> new JsonString("1s");
            case QUANTITY -> new JsonString("1");
        };
    }
}
