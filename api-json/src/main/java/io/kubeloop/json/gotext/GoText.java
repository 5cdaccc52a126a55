/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.json.gotext;

import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonBoolean;
import io.kubeloop.json.tree.JsonNull;
import io.kubeloop.json.tree.JsonNumber;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonString;
import io.kubeloop.json.tree.JsonValue;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/** Formats values for error messages as Go's package {@code fmt} does. Thread-safe: stateless. */
public final class GoText {

    private static final String ESCAPED = "\u0007\b\f\n\r\t\u000b\"\\";
    private static final String LETTERS = "abfnrtv\"\\";

    private GoText() {}

    /** Returns a quoted string ({@code %q}). */
    public static String quoted(String text) {
        StringBuilder out = new StringBuilder(text.length() + 2).append('"');
        text.codePoints().forEach(point -> append(out, point));
        return out.append('"').toString();
    }

    private static void append(StringBuilder out, int point) {
        int known = ESCAPED.indexOf(point);
        if (known >= 0) {
            out.append('\\').append(LETTERS.charAt(known));
        } else if (isPrintable(point)) {
            out.appendCodePoint(point);
        } else if (point < ' ' || point == 0x7f) {
            out.append(String.format("\\x%02x", point));
        } else {
            out.append(String.format(point > 0xffff ? "\\U%08x" : "\\u%04x", point));
        }
    }

    /**
     * Returns whether Go prints a character ({@code unicode.IsPrint}): letters, marks, numbers, punctuation, symbols,
     * and the space of ASCII.
     */
    public static boolean isPrintable(int point) {
        return switch (Character.getType(point)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.PRIVATE_USE,
                    Character.UNASSIGNED,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR -> false;
            case Character.SPACE_SEPARATOR -> point == ' ';
            default -> true;
        };
    }

    /** Returns a byte of invalid JSON in single quotes. */
    public static String quotedByte(int value) {
        if (value == '\'') {
            return "'\\''";
        }
        if (value == '"') {
            return "'\"'";
        }
        String quoted = quoted(Character.toString(value));
        return "'" + quoted.substring(1, quoted.length() - 1) + "'";
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
            return NumberText.text(number);
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
        return switch (schemaType(value)) {
            case "object" -> "map[string]interface {}";
            case "array" -> "[]interface {}";
            case "boolean" -> "bool";
            case "integer" -> "int64";
            case "number" -> "float64";
            case "string" -> "string";
            default -> "<nil>";
        };
    }

    /** Returns the JSON type of a value in the words of JSON Schema. */
    public static String schemaType(JsonValue value) {
        if (value instanceof JsonObject) {
            return "object";
        }
        if (value instanceof JsonArray) {
            return "array";
        }
        if (value instanceof JsonString) {
            return "string";
        }
        if (value instanceof JsonBoolean) {
            return "boolean";
        }
        if (value instanceof JsonNumber number) {
            return NumberText.isInteger(number) ? "integer" : "number";
        }
        return value == JsonNull.NULL ? "null" : "";
    }

    /**
     * Returns a value without a Go type as error messages show it: a number unchanged, an object with sorted members.
     */
    public static JsonValue untyped(JsonValue value) {
        return value instanceof JsonNumber ? value : sorted(value);
    }

    /** Returns the value with the members of all objects sorted by name, as Go encodes maps. */
    public static JsonValue sorted(JsonValue value) {
        if (value instanceof JsonObject object) {
            Map<String, JsonValue> members = new LinkedHashMap<>();
            new TreeMap<>(object.members()).forEach((name, member) -> members.put(name, sorted(member)));
            return JsonObject.of(members);
        }
        if (value instanceof JsonArray array) {
            List<JsonValue> elements = new ArrayList<>(array.size());
            array.forEach(element -> elements.add(sorted(element)));
            return JsonArray.of(elements);
        }
        if (value instanceof JsonNumber number) {
            return NumberText.isInteger(number)
                    ? JsonNumber.of(NumberText.toLong(number))
                    : new JsonNumber(GoNumbers.json(NumberText.toDouble(number)));
        }
        return value;
    }

    /** Returns the boolean that Go reads from a text ({@code strconv.ParseBool}); null if there is none. */
    public static @Nullable Boolean bool(String text) {
        return switch (text) {
            case "1", "t", "T", "true", "TRUE", "True" -> true;
            case "0", "f", "F", "false", "FALSE", "False" -> false;
            default -> null;
        };
    }

    /** Returns the name of the JSON type of a value, such as {@code array}, as Go's error messages use it. */
    public static String jsonType(JsonValue value) {
        return value == JsonNull.NULL ? "null" : jsonType(value.toString().charAt(0));
    }

    /** Returns the name of the JSON type of a value that begins with this byte, as Go's error messages use it. */
    public static String jsonType(int token) {
        return switch (token) {
            case '"' -> "string";
            case '{' -> "object";
            case '[' -> "array";
            case 't', 'f' -> "bool";
            default -> "number";
        };
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
