package io.kubeloop.json.apply;

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

/** The text of values in error messages, as Go's package {@code fmt} formats them. Thread-safe: stateless. */
final class GoText {

    private GoText() {}

    /** Returns a quoted string ({@code %q}). */
    static String quoted(String text) {
        StringBuilder out = new StringBuilder("\"");
        text.codePoints().forEach(c -> {
            switch (c) {
                case '"', '\\' -> out.append('\\').appendCodePoint(c);
                case '\n' -> out.append("\\n");
                case '\r' -> out.append("\\r");
                case '\t' -> out.append("\\t");
                default -> {
                    if (c < 0x20 || c == 0x7f) {
                        out.append(String.format("\\x%02x", c));
                    } else {
                        out.appendCodePoint(c);
                    }
                }
            }
        });
        return out.append('"').toString();
    }

    /** Returns a value as part of a path: strings quoted, everything else plain. */
    static String ofPath(JsonValue value) {
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
    static String plain(JsonValue value) {
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
    static String type(JsonValue value) {
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

    /** Returns a value in the syntax of Go ({@code %#v}). */
    static String syntax(JsonValue value) {
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
