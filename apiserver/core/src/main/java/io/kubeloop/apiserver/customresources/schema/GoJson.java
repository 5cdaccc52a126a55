package io.kubeloop.apiserver.customresources.schema;

import io.kubeloop.json.typed.GoNumbers;
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

/** JSON values as Go prints them in error messages. Static functions only. */
public final class GoJson {

    private GoJson() {}

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
        if (value instanceof JsonNumber number && !NumberText.isInteger(number)) {
            return new JsonNumber(GoNumbers.json(NumberText.toDouble(number)));
        }
        return value;
    }

    /** Returns the value as {@code Invalid value:} shows it. */
    public static String shown(JsonValue value) {
        if (value instanceof JsonString string) {
            return quoted(string.value());
        }
        return value instanceof JsonNumber number
                ? NumberText.text(number)
                : sorted(value).toString();
    }

    /** Returns the value in Go's default format ({@code %v}). */
    public static String plain(JsonValue value) {
        if (value instanceof JsonString string) {
            return string.value();
        }
        if (value instanceof JsonNumber number) {
            return NumberText.text(number);
        }
        if (value instanceof JsonBoolean bool) {
            return Boolean.toString(bool.value());
        }
        if (value instanceof JsonArray array) {
            return array.elements().stream().map(GoJson::plain).collect(Collectors.joining(" ", "[", "]"));
        }
        if (value instanceof JsonObject object) {
            return new TreeMap<>(object.members())
                    .entrySet().stream()
                            .map(member -> member.getKey() + ":" + plain(member.getValue()))
                            .collect(Collectors.joining(" ", "map[", "]"));
        }
        return "<nil>";
    }

    /** Returns the JSON type of a value in the words of JSON Schema. */
    public static String type(JsonValue value) {
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

    /** Returns the type of a value in Go ({@code %T}). */
    public static String goType(JsonValue value) {
        return switch (type(value)) {
            case "object" -> "map[string]interface {}";
            case "array" -> "[]interface {}";
            case "boolean" -> "bool";
            case "integer" -> "int64";
            case "number" -> "float64";
            case "string" -> "string";
            default -> "<nil>";
        };
    }

    /** Returns a quoted string ({@code strconv.Quote}). */
    public static String quoted(String text) {
        StringBuilder out = new StringBuilder("\"");
        text.codePoints().forEach(c -> {
            switch (c) {
                case '"', '\\' -> out.append('\\').appendCodePoint(c);
                case '\n' -> out.append("\\n");
                case '\r' -> out.append("\\r");
                case '\t' -> out.append("\\t");
                case '\b' -> out.append("\\b");
                case '\f' -> out.append("\\f");
                case 0x07 -> out.append("\\a");
                case 0x0b -> out.append("\\v");
                default -> {
                    if (c < 0x20 || c == 0x7f) {
                        out.append(String.format("\\x%02x", c));
                    } else if (isPrintable(c)) {
                        out.appendCodePoint(c);
                    } else {
                        out.append(c > 0xffff ? String.format("\\U%08x", c) : String.format("\\u%04x", c));
                    }
                }
            }
        });
        return out.append('"').toString();
    }

    /** Returns whether Go's {@code unicode.IsPrint} accepts a character. */
    public static boolean isPrintable(int c) {
        if (c == ' ') {
            return true;
        }
        return switch (Character.getType(c)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.PRIVATE_USE,
                    Character.UNASSIGNED,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.SPACE_SEPARATOR -> false;
            default -> true;
        };
    }
}
