/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.simulation.declaration;

import io.kubeloop.api.value.Quantity;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonBoolean;
import io.kubeloop.json.tree.JsonNumber;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonString;
import io.kubeloop.json.tree.JsonValue;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Generates declarations from one that a user wrote and from the structural schema of its kind: each property is left
 * out, set to its bounds, changed, and set to a value that the schema forbids.
 */
public final class DeclarationGenerator {

    private static final int DEPTH = 12;

    private final JsonObject base;
    private final Map<String, Declaration> all = new LinkedHashMap<>();

    private DeclarationGenerator(JsonObject base) {
        this.base = base;
    }

    /**
     * Returns the declarations, without duplicates, in the order of the schema. O(properties).
     *
     * @param schema the structural schema of the kind, of which only {@code spec} is read
     * @param base the declaration of the user
     */
    public static List<Declaration> generate(JsonObject schema, JsonObject base) {
        DeclarationGenerator generator = new DeclarationGenerator(base);
        JsonObject spec = schema.object("properties", "spec");
        generator.walk(List.of("spec"), spec, base.object("spec"), changed -> base.with("spec", changed), 0);
        return List.copyOf(generator.all.values());
    }

    /** Puts a value in the place of another one and returns the whole declaration. */
    private interface Place extends Function<JsonValue, JsonObject> {}

    private void walk(List<String> path, JsonObject schema, JsonValue value, Place place, int depth) {
        if (depth > DEPTH) {
            return;
        }
        if (value instanceof JsonObject object) {
            walkObject(path, schema, object, place, depth);
        } else if (value instanceof JsonArray array) {
            walkArray(path, schema, array, place, depth);
        } else {
            variants(schema, value).forEach((change, other) -> add(path, change, place.apply(other)));
        }
    }

    private void walkObject(List<String> path, JsonObject schema, JsonObject object, Place place, int depth) {
        Set<String> required = schema.array("required").strings().collect(Collectors.toUnmodifiableSet());
        schema.object("properties").members().forEach((name, property) -> {
            if (!(property instanceof JsonObject inner)) {
                return;
            }
            List<String> at = append(path, name);
            JsonValue value = object.get(name);
            if (value != null) {
                String change = required.contains(name) ? "absent, though required" : "absent";
                add(at, change, place.apply(object.without(name)));
                walk(at, inner, value, changed -> place.apply(object.with(name, changed)), depth + 1);
            } else {
                JsonValue sample = sample(inner, 0);
                if (sample != null) {
                    add(at, "set to " + sample, place.apply(object.with(name, sample)));
                }
            }
        });
        JsonValue additional = schema.get("additionalProperties");
        if (additional instanceof JsonObject inner) {
            JsonValue sample = sample(inner, 0);
            if (sample != null) {
                add(path, "with another entry", place.apply(object.with("kubeloop-entry", sample)));
            }
            object.members().keySet().stream()
                    .findFirst()
                    .ifPresent(name -> add(path, "without " + name, place.apply(object.without(name))));
        }
        add(append(path, "kubeloopUnknown"), "unknown property", place.apply(object.with("kubeloopUnknown", "x")));
    }

    private void walkArray(List<String> path, JsonObject schema, JsonArray array, Place place, int depth) {
        add(path, "empty", place.apply(JsonArray.EMPTY));
        List<JsonValue> elements = array.elements();
        if (elements.isEmpty()) {
            return;
        }
        add(path, "without the last element", place.apply(JsonArray.of(elements.subList(0, elements.size() - 1))));
        List<JsonValue> twice = new ArrayList<>(elements);
        twice.add(elements.get(0));
        add(path, "with the first element twice", place.apply(JsonArray.of(twice)));
        List<JsonValue> reversed = new ArrayList<>(elements);
        Collections.reverse(reversed);
        add(path, "in reverse", place.apply(JsonArray.of(reversed)));
        walk(
                append(path, "0"),
                schema.object("items"),
                elements.get(0),
                changed -> {
                    List<JsonValue> others = new ArrayList<>(elements);
                    others.set(0, changed);
                    return place.apply(JsonArray.of(others));
                },
                depth + 1);
    }

    /** Returns other values for a scalar, by the words for them. */
    private static Map<String, JsonValue> variants(JsonObject schema, JsonValue value) {
        Map<String, JsonValue> variants = new LinkedHashMap<>();
        schema.array("enum").forEach(each -> variants.put("value " + each, each));
        if (value instanceof JsonBoolean) {
            variants.put("flipped", JsonValue.parse(value.toString().equals("true") ? "false" : "true"));
        } else if (value instanceof JsonNumber) {
            addNumbers(schema, value, variants);
        } else if (value instanceof JsonString string) {
            addStrings(schema, string.value(), variants);
        }
        return variants;
    }

    private static void addNumbers(JsonObject schema, JsonValue value, Map<String, JsonValue> variants) {
        Long minimum = schema.number("minimum");
        Long maximum = schema.number("maximum");
        if (minimum != null) {
            variants.put("minimum " + minimum, number(minimum));
            variants.put("below the minimum", number(minimum - 1));
        } else {
            variants.put("zero", number(0));
            variants.put("negative", number(-1));
        }
        if (maximum != null) {
            variants.put("maximum " + maximum, number(maximum));
            variants.put("above the maximum", number(maximum + 1));
        }
        Long now = JsonObject.of("value", value).number("value");
        if (now != null && (maximum == null || now < maximum)) {
            variants.put("one more", number(now + 1));
        }
        if (schema.bool("x-kubernetes-int-or-string")) {
            variants.put("a percentage", new JsonString("50%"));
        }
    }

    private static void addStrings(JsonObject schema, String value, Map<String, JsonValue> variants) {
        if (!schema.array("enum").isEmpty()) {
            variants.put("not among the values", new JsonString("kubeloop-unknown"));
            return;
        }
        variants.put("empty", new JsonString(""));
        String other = otherForm(value);
        if (!other.isEmpty()) {
            variants.put("the same amount, written " + other, new JsonString(other));
        } else {
            variants.put("another text", new JsonString(value + "x"));
        }
        Long longest = schema.number("maxLength");
        if (longest != null && longest < 10_000) {
            variants.put("too long", new JsonString("x".repeat((int) (longest + 1))));
        }
    }

    /** Returns another way to write a quantity; empty if the text is none. */
    private static String otherForm(String value) {
        try {
            Quantity quantity = Quantity.parse(value);
            return value.isEmpty() || value.endsWith("m") || quantity.signum() == 0 || !Character.isDigit(last(value))
                    ? ""
                    : value + "000m";
        } catch (IllegalArgumentException e) {
            return "";
        }
    }

    private static char last(String value) {
        return value.charAt(value.length() - 1);
    }

    private static JsonValue number(long value) {
        return JsonValue.parse(Long.toString(value));
    }

    /** Returns a valid value; null if the schema does not say enough. */
    private static @Nullable JsonValue sample(JsonObject schema, int depth) {
        JsonValue given = schema.get("default");
        if (given != null) {
            return given;
        }
        if (!schema.array("enum").isEmpty()) {
            return schema.array("enum").get(0);
        }
        if (schema.bool("x-kubernetes-int-or-string")) {
            return number(1);
        }
        return switch (schema.string("type")) {
            case "string" ->
                schema.string("format").isEmpty() && schema.string("pattern").isEmpty()
                        ? new JsonString("kubeloop")
                        : null;
            case "integer", "number" -> number(Math.max(1, orZero(schema.number("minimum"))));
            case "boolean" -> JsonBoolean.TRUE;
            case "array" -> arrayOf(schema, depth);
            case "object" -> objectOf(schema, depth);
            default -> null;
        };
    }

    private static long orZero(@Nullable Long number) {
        return number == null ? 0 : number;
    }

    private static @Nullable JsonValue arrayOf(JsonObject schema, int depth) {
        JsonValue element = depth > DEPTH ? null : sample(schema.object("items"), depth + 1);
        return element == null ? null : JsonArray.of(element);
    }

    private static @Nullable JsonValue objectOf(JsonObject schema, int depth) {
        JsonObject object = JsonObject.EMPTY;
        for (String name : schema.array("required").strings().toList()) {
            JsonValue value = depth > DEPTH ? null : sample(schema.object("properties", name), depth + 1);
            if (value == null) {
                return null;
            }
            object = object.with(name, value);
        }
        return object;
    }

    private void add(List<String> path, String change, JsonObject object) {
        if (!object.equals(base)) {
            Declaration declaration = new Declaration("." + String.join(".", path), change, object);
            boolean isNew =
                    all.values().stream().noneMatch(known -> known.object().equals(object));
            if (isNew) {
                all.putIfAbsent(declaration.name(), declaration);
            }
        }
    }

    private static List<String> append(List<String> path, String name) {
        List<String> longer = new ArrayList<>(path);
        longer.add(name);
        return longer;
    }
}
