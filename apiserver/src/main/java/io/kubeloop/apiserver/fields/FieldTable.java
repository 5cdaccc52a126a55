package io.kubeloop.apiserver.fields;

import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonValue;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The types of the API and their fields. Immutable. */
public final class FieldTable {

    private static final FieldTable BUILT_IN = new FieldTable(read());

    /**
     * The shape of a field.
     *
     * @param container {@code []}, {@code {}} or nothing
     * @param element {@code #}, {@code ?}, the name of a type, or nothing for a string
     */
    record Shape(String container, String element) {

        static Shape parse(String text) {
            return text.startsWith("[]") || text.startsWith("{}")
                    ? new Shape(text.substring(0, 2), text.substring(2))
                    : new Shape("", text);
        }

        boolean isType() {
            return !element.isEmpty() && Character.isUpperCase(element.charAt(0));
        }
    }

    private final Map<String, Map<String, Shape>> types;

    private FieldTable(Map<String, Map<String, Shape>> types) {
        this.types = types;
    }

    /** Returns the table of the built-in kinds. */
    public static FieldTable builtIn() {
        return BUILT_IN;
    }

    private static Map<String, Map<String, Shape>> read() {
        Map<String, Map<String, Shape>> types = new LinkedHashMap<>();
        try (InputStream in = Objects.requireNonNull(FieldTable.class.getResourceAsStream("fields.txt"), "fields.txt");
                BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (!line.isBlank() && !line.startsWith("#")) {
                    String[] words = line.split(" ", -1);
                    Map<String, Shape> fields = new LinkedHashMap<>();
                    for (int i = 1; i < words.length; i++) {
                        int colon = words[i].indexOf(':');
                        String name = colon < 0 ? words[i] : words[i].substring(0, colon);
                        fields.put(name, Shape.parse(colon < 0 ? "" : words[i].substring(colon + 1)));
                    }
                    types.put(words[0], fields);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the table of fields", e);
        }
        return types;
    }

    /** Returns the fields of a type; none if it is unknown. */
    Map<String, Shape> fieldsOf(String type) {
        return types.getOrDefault(type, Map.of());
    }

    /** Returns the names of all types, kinds first. */
    public Set<String> types() {
        return types.keySet();
    }

    /**
     * Returns the paths of the fields that the kind does not have, such as {@code spec.containers[0].imagee}; none
     * if the kind is unknown. Patch directives, which start with a dollar sign, are skipped.
     */
    public List<String> unknownFields(String kind, JsonObject object) {
        List<String> unknown = new ArrayList<>();
        collect(unknown, kind, object, "");
        return unknown;
    }

    private void collect(List<String> unknown, String type, JsonObject object, String path) {
        Map<String, Shape> fields = types.get(type);
        if (fields == null) {
            return;
        }
        object.members().forEach((name, value) -> {
            String here = path.isEmpty() ? name : path + "." + name;
            Shape shape = fields.get(name);
            if (name.startsWith("$")) {
                return;
            }
            if (shape == null) {
                unknown.add(here);
            } else if (shape.isType()) {
                collectInside(unknown, shape, value, here);
            }
        });
    }

    private void collectInside(List<String> unknown, Shape shape, @Nullable JsonValue value, String path) {
        if (value instanceof JsonArray array) {
            for (int i = 0; i < array.size(); i++) {
                if (array.get(i) instanceof JsonObject element) {
                    collect(unknown, shape.element, element, path + "[" + i + "]");
                }
            }
        } else if (value instanceof JsonObject object && shape.container.equals("{}")) {
            object.members().forEach((key, member) -> {
                if (member instanceof JsonObject element) {
                    collect(unknown, shape.element, element, path + "." + key);
                }
            });
        } else if (value instanceof JsonObject object) {
            collect(unknown, shape.element, object, path);
        }
    }

    /**
     * Returns the OpenAPI schema of a type.
     *
     * @param reference converts the name of another type into a reference
     */
    public JsonObject schema(String type, UnaryOperator<String> reference) {
        JsonObject.Builder properties = JsonObject.builder();
        types.getOrDefault(type, Map.of()).forEach((name, shape) -> properties.put(name, property(shape, reference)));
        return JsonObject.EMPTY.with("type", "object").with("properties", properties.build());
    }

    private static JsonObject property(Shape shape, UnaryOperator<String> reference) {
        JsonObject element = element(shape, reference);
        return switch (shape.container) {
            case "[]" -> JsonObject.EMPTY.with("type", "array").with("items", element);
            case "{}" -> JsonObject.EMPTY.with("type", "object").with("additionalProperties", element);
            default -> element;
        };
    }

    private static JsonObject element(Shape shape, UnaryOperator<String> reference) {
        return switch (shape.element) {
            case "" -> JsonObject.EMPTY.with("type", "string");
            case "#" -> JsonObject.EMPTY.with("type", "integer");
            case "?" -> JsonObject.EMPTY.with("type", "boolean");
            default ->
                JsonObject.of("allOf", JsonArray.of(JsonObject.EMPTY.with("$ref", reference.apply(shape.element))));
        };
    }
}
