package io.kubeloop.json.typed;

import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonBoolean;
import io.kubeloop.json.tree.JsonNull;
import io.kubeloop.json.tree.JsonNumber;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonString;
import io.kubeloop.json.tree.JsonValue;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** Formats values for error messages as Go's package {@code fmt} does. Thread-safe: stateless. */
public final class GoText {

    private GoText() {}

    /** Returns a quoted string ({@code %q}). */
    public static String quoted(String text) {
        return GoQuote.quote(text);
    }

    /** Returns a value as an element of a field path: quoted if it is a string, plain otherwise. */
    public static String ofPath(JsonValue value) {
        if (value instanceof JsonString string) {
            return quoted(string.value());
        }
        if (value instanceof JsonArray array) {
            return elements(array).map(GoText::ofPath).collect(Collectors.joining(",", "[", "]"));
        }
        if (value instanceof JsonObject object) {
            return object.members().entrySet().stream()
                    .map(member -> member.getKey() + "=" + ofPath(member.getValue()))
                    .collect(Collectors.joining());
        }
        return value == JsonNull.NULL ? "null" : plain(value);
    }

    /** Returns a value in Go's default format ({@code %v}), with the members of objects sorted by name. */
    public static String plain(JsonValue value) {
        if (value instanceof JsonString string) {
            return string.value();
        }
        if (value instanceof JsonNumber number) {
            Long whole = number.toLong();
            return whole == null ? number.text() : whole.toString();
        }
        if (value instanceof JsonBoolean bool) {
            return String.valueOf(bool.value());
        }
        if (value instanceof JsonArray array) {
            return elements(array).map(GoText::plain).collect(Collectors.joining(" ", "[", "]"));
        }
        if (value instanceof JsonObject object) {
            Map<String, JsonValue> sorted = new TreeMap<>(object.members());
            return sorted.entrySet().stream()
                    .map(member -> member.getKey() + ":" + plain(member.getValue()))
                    .collect(Collectors.joining(" ", "map[", "]"));
        }
        return "<nil>";
    }

    /** Returns the Go type of a decoded value ({@code %T}). */
    public static String type(JsonValue value) {
        if (value instanceof JsonString) {
            return "string";
        }
        if (value instanceof JsonNumber number) {
            return number.toLong() == null ? "float64" : "int64";
        }
        if (value instanceof JsonBoolean) {
            return "bool";
        }
        if (value instanceof JsonArray) {
            return "[]interface {}";
        }
        return value instanceof JsonObject ? "map[string]interface {}" : "<nil>";
    }

    /** Returns the name of the JSON type of a value, such as {@code array}, as Go's error messages use it. */
    public static String jsonType(JsonValue value) {
        return value == JsonNull.NULL
                ? "null"
                : TypedReader.describe(value.toString().charAt(0));
    }

    /** Returns a value in Go syntax ({@code %#v}). */
    public static String syntax(JsonValue value) {
        if (value instanceof JsonString string) {
            return quoted(string.value());
        }
        if (value instanceof JsonArray array) {
            return elements(array).map(GoText::syntax).collect(Collectors.joining(", ", "[]interface {}{", "}"));
        }
        if (value instanceof JsonObject object) {
            Map<String, JsonValue> sorted = new TreeMap<>(object.members());
            return sorted.entrySet().stream()
                    .map(member -> quoted(member.getKey()) + ":" + syntax(member.getValue()))
                    .collect(Collectors.joining(", ", "map[string]interface {}{", "}"));
        }
        return value == JsonNull.NULL ? "interface {}(nil)" : plain(value);
    }

    private static Stream<JsonValue> elements(JsonArray array) {
        return StreamSupport.stream(array.spliterator(), false);
    }
}
