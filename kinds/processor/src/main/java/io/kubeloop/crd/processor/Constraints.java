/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.crd.processor;

import io.kubeloop.crd.processor.Mark.InvalidSourceException;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonBoolean;
import io.kubeloop.json.tree.JsonNumber;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonString;
import io.kubeloop.json.tree.JsonValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import javax.lang.model.element.Element;
import javax.lang.model.element.ElementKind;
import javax.lang.model.element.TypeElement;
import javax.lang.model.type.DeclaredType;

/** The keywords that an annotation adds to a schema. Used for one value. */
final class Constraints {

    private static final String JAKARTA = "jakarta.validation.constraints.";
    private static final Set<String> REQUIRED = Set.of(
            Mark.SCHEMA + "Required",
            "org.jspecify.annotations.NonNull",
            JAKARTA + "NotNull",
            JAKARTA + "NotEmpty",
            JAKARTA + "NotBlank");

    /**
     * A keyword whose value is that of the annotation.
     *
     * @param types the types of values that it is about
     */
    private record Keyword(String name, String types) {}

    private static final Map<String, Keyword> KEYWORDS = Map.ofEntries(
            Map.entry("Min", new Keyword("minimum", "integer")),
            Map.entry("Max", new Keyword("maximum", "integer")),
            Map.entry("MultipleOf", new Keyword("multipleOf", "integer")),
            Map.entry("Pattern", new Keyword("pattern", "string")),
            Map.entry("Format", new Keyword("format", "string")),
            Map.entry("MinLength", new Keyword("minLength", "string")),
            Map.entry("MaxLength", new Keyword("maxLength", "string")),
            Map.entry("MinItems", new Keyword("minItems", "array")),
            Map.entry("MaxItems", new Keyword("maxItems", "array")),
            Map.entry("MinProperties", new Keyword("minProperties", "object")),
            Map.entry("MaxProperties", new Keyword("maxProperties", "object")));

    /** The names of sizes by the type of the value. */
    private static final Map<String, String> SIZES =
            Map.of("string", "Length", "array", "Items", "object", "Properties");

    private final Map<String, JsonValue> schema;
    private final String type;
    private final List<JsonValue> rules = new ArrayList<>();

    /**
     * Creates a value's constraints.
     *
     * @param schema the schema to which they are added
     */
    Constraints(Map<String, JsonValue> schema) {
        this.schema = schema;
        type = schema.get("type") instanceof JsonString text ? text.value() : "";
    }

    static boolean isRequired(Mark mark) {
        return REQUIRED.contains(mark.name());
    }

    /**
     * Adds an annotation.
     *
     * @return the keyword to which errors about the annotation refer; empty for none
     */
    String add(Mark mark) throws InvalidSourceException {
        if (mark.name().startsWith(JAKARTA)) {
            return jakarta(mark, mark.name().substring(JAKARTA.length()));
        }
        if (!mark.name().startsWith(Mark.SCHEMA)) {
            return "";
        }
        String name = mark.name().substring(Mark.SCHEMA.length());
        Keyword keyword = KEYWORDS.get(name);
        if (keyword != null) {
            Object value = mark.values().get("value");
            return value instanceof Number number
                    ? put(mark, keyword.types, keyword.name, number.longValue())
                    : put(mark, keyword.types, keyword.name, new JsonString(mark.text("value")));
        }
        return switch (name) {
            case "Enum" -> put(mark, "string", "enum", JsonArray.ofStrings(values(mark)));
            case "Default" -> put(mark, "", "default", initial(mark));
            case "ListMap" -> {
                put(mark, "array", "x-kubernetes-list-map-keys", JsonArray.ofStrings(mark.texts("keys")));
                yield put(mark, "array", "x-kubernetes-list-type", new JsonString("map"));
            }
            case "ListSet" -> put(mark, "array", "x-kubernetes-list-type", new JsonString("set"));
            case "MapAtomic" -> put(mark, "object", "x-kubernetes-map-type", new JsonString("atomic"));
            case "PreserveUnknownFields" -> flag(mark, "x-kubernetes-preserve-unknown-fields");
            case "EmbeddedResource" -> flag(mark, "x-kubernetes-embedded-resource");
            case "Rule" -> rule(mark);
            default -> "";
        };
    }

    private String put(Mark mark, String types, String keyword, long value) throws InvalidSourceException {
        return put(mark, types, keyword, JsonNumber.of(value));
    }

    /** Adds a keyword. An int-or-string has no type, and may have those of both. */
    private String put(Mark mark, String types, String keyword, JsonValue value) throws InvalidSourceException {
        boolean fits = types.isEmpty() || type.equals(types) || (type.isEmpty() && !types.equals("array"));
        if (!fits) {
            throw mark.error("@" + mark.name().substring(mark.name().lastIndexOf('.') + 1) + " is about values of type "
                    + types + "; this one has the type " + type);
        }
        schema.put(keyword, value);
        return keyword;
    }

    private String flag(Mark mark, String keyword) throws InvalidSourceException {
        put(mark, "object", keyword, JsonBoolean.TRUE);
        return keyword;
    }

    private String rule(Mark mark) {
        JsonObject.Builder rule = JsonObject.builder().put("rule", mark.text("value"));
        for (String member : List.of("message", "messageExpression", "reason", "fieldPath")) {
            if (!mark.text(member).isEmpty()) {
                rule.put(member, mark.text(member));
            }
        }
        if (mark.isTrue("optionalOldSelf")) {
            rule.put("optionalOldSelf", true);
        }
        rules.add(rule.build());
        schema.put("x-kubernetes-validations", JsonArray.of(rules));
        return "x-kubernetes-validations[" + (rules.size() - 1) + "]";
    }

    private static List<String> values(Mark mark) throws InvalidSourceException {
        List<String> values = new ArrayList<>(mark.texts("value"));
        if (mark.values().get("of") instanceof DeclaredType of) {
            for (Element constant : ((TypeElement) of.asElement()).getEnclosedElements()) {
                if (constant.getKind() == ElementKind.ENUM_CONSTANT) {
                    values.add(constant.getSimpleName().toString());
                }
            }
        }
        if (values.isEmpty()) {
            throw mark.error("an enum needs values, or a Java enum with constants");
        }
        return values;
    }

    private JsonValue initial(Mark mark) throws InvalidSourceException {
        String text = mark.text("value");
        if (type.equals("string")) {
            return new JsonString(text);
        }
        try {
            return Objects.requireNonNull(
                    JsonObject.parse("{\"value\":" + text + "}").get("value"));
        } catch (RuntimeException e) {
            throw mark.error("the default of a value of type " + (type.isEmpty() ? "int-or-string" : type)
                    + " is JSON; \"" + text + "\" is none: " + e.getMessage());
        }
    }

    /** Adds a constraint of Jakarta Validation. Those without a counterpart in a schema add nothing. */
    private String jakarta(Mark mark, String name) throws InvalidSourceException {
        return switch (name) {
            case "Min" -> put(mark, "integer", "minimum", mark.number("value"));
            case "Max" -> put(mark, "integer", "maximum", mark.number("value"));
            case "Positive" -> put(mark, "integer", "minimum", 1);
            case "PositiveOrZero" -> put(mark, "integer", "minimum", 0);
            case "Negative" -> put(mark, "integer", "maximum", -1);
            case "NegativeOrZero" -> put(mark, "integer", "maximum", 0);
            case "Email" -> put(mark, "string", "format", new JsonString("email"));
            // Jakarta's expression matches the whole string.
            case "Pattern" -> put(mark, "string", "pattern", new JsonString("^(?:" + mark.text("regexp") + ")$"));
            case "NotBlank" -> put(mark, "string", "pattern", new JsonString("\\S"));
            case "NotEmpty" -> size(mark, 1, Integer.MAX_VALUE);
            case "Size" -> size(mark, mark.number("min"), mark.number("max"));
            default -> "";
        };
    }

    private String size(Mark mark, long min, long max) throws InvalidSourceException {
        String what = SIZES.get(type);
        if (what == null) {
            throw mark.error("a value of type " + type + " has no size");
        }
        if (min > 0) {
            put(mark, type, "min" + what, min);
        }
        return max == Integer.MAX_VALUE ? "min" + what : put(mark, type, "max" + what, max);
    }
}
