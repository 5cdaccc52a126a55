/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.customresources.values;

import io.kubeloop.apiserver.customresources.schema.SchemaProps;
import io.kubeloop.apiserver.expressions.GoPattern;
import io.kubeloop.json.gotext.GoText;
import io.kubeloop.json.gotext.NumberText;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonNull;
import io.kubeloop.json.tree.JsonNumber;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonString;
import io.kubeloop.json.tree.JsonValue;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Checks a value against one schema and, recursively, its parts. Static functions only. */
final class SchemaCheck {

    private static final Set<String> TYPE_FIELDS = Set.of("kind", "apiVersion");

    private SchemaCheck() {}

    /**
     * Returns the result of a value.
     *
     * @param path the path of the value, relative to the validated object; empty for that object
     * @param before the value that it replaces; null if all errors count
     */
    static ValueResult check(SchemaProps schema, JsonValue value, String path, @Nullable Correlation before) {
        ValueResult result = value == JsonNull.NULL ? checkNull(schema, path) : checkValue(schema, value, path, before);
        if (!result.isValid() && before != null && before.isUnchanged()) {
            result.tolerate();
        }
        return result;
    }

    private static ValueResult checkNull(SchemaProps schema, String path) {
        ValueResult result = new ValueResult();
        List<String> types = types(schema);
        if (!types.isEmpty() && !schema.nullable()) {
            result.wrongType(path, String.join(",", types), "null");
        } else {
            result.count();
        }
        checkAllowed(schema, JsonNull.NULL, path, result);
        return result;
    }

    private static ValueResult checkValue(
            SchemaProps schema, JsonValue value, String path, @Nullable Correlation before) {
        ValueResult result = new ValueResult();
        String format = Formats.supported(schema);
        if (!types(schema).isEmpty() || !format.isEmpty()) {
            checkType(schema, format, value, path, result);
            result.count();
        }
        result.merge(LogicalSchemas.check(schema, value, path)).count();
        if (value instanceof JsonString text) {
            checkString(schema, text, path, result);
            result.count();
            if (Formats.isKnown(format)) {
                if (!Formats.matches(format, text.value())) {
                    result.wrongType(path, format, text.value());
                }
                result.count();
            }
        } else if (value instanceof JsonNumber number) {
            NumberCheck.check(schema, number, path, result);
            result.count().count();
        } else if (value instanceof JsonArray array) {
            checkArray(schema, array, path, before, result);
            result.count().count();
        }
        checkAllowed(schema, value, path, result);
        result.count();
        if (value instanceof JsonObject object) {
            checkObject(schema, object, path, before, result);
            result.count();
        }
        return result.count();
    }

    private static List<String> types(SchemaProps schema) {
        if (schema.intOrString()) {
            return List.of("integer", "string");
        }
        return schema.type().isEmpty() ? List.of() : List.of(schema.type());
    }

    private static void checkType(SchemaProps schema, String format, JsonValue value, String path, ValueResult result) {
        List<String> types = types(schema);
        String type = GoText.schemaType(value);
        String ownFormat = type.equals("integer") ? "int64" : type.equals("number") ? "float64" : "";
        boolean wholeFloat = type.equals("number")
                && types.contains("integer")
                && NumberText.isWhole(NumberText.toDouble((JsonNumber) value));
        boolean fits = types.contains(type) || wholeFloat || (type.equals("integer") && types.contains("number"));
        boolean textual = type.equals("string") || type.equals("array");
        if (!textual && !format.isEmpty() && !fits && !ownFormat.equals(format)) {
            result.wrongType(path, format, ownFormat);
            return;
        }
        boolean numeric = types.contains("number") || types.contains("integer");
        if (!numeric && !format.isEmpty() && textual) {
            result.count(); // as upstream, which leaves the check of such values to the format
            return;
        }
        if (fits) {
            result.count();
        } else {
            result.wrongType(path, String.join(",", types), type);
        }
    }

    /** Adds the first error only, as upstream. */
    private static void checkString(SchemaProps schema, JsonString text, String path, ValueResult result) {
        long length = text.value().codePointCount(0, text.value().length());
        Long max = schema.count("maxLength");
        Long min = schema.count("minLength");
        GoPattern pattern = schema.pattern();
        if (max != null && length > max) {
            result.tooLong(path, max);
        } else if (min != null && length < min) {
            result.invalid(path, text, "should be at least " + min + " chars long");
        } else if (pattern != null && !pattern.matches(text.value())) {
            String problem = pattern.error() == null ? "" : ", but pattern is invalid: " + pattern.error();
            result.invalid(path, text, "should match '" + pattern.text() + problem + "'");
        }
    }

    private static void checkAllowed(SchemaProps schema, JsonValue value, String path, ValueResult result) {
        List<JsonValue> allowed = schema.allowed();
        if (!allowed.isEmpty() && allowed.stream().noneMatch(one -> isAllowed(one, value))) {
            result.notAllowed(path, value, allowed);
        }
    }

    /**
     * As upstream, {@code null} is never among the allowed values, and numbers are converted before they are compared.
     */
    private static boolean isAllowed(JsonValue allowed, JsonValue value) {
        if (allowed == JsonNull.NULL || value == JsonNull.NULL) {
            return false;
        }
        if (allowed instanceof JsonNumber expected && value instanceof JsonNumber actual) {
            return NumberText.isInteger(expected)
                    ? NumberText.toLong(expected) == NumberText.toLong(actual)
                    : NumberText.toDouble(expected) == NumberText.toDouble(actual);
        }
        return allowed.equals(value);
    }

    private static void checkArray(
            SchemaProps schema, JsonArray array, String path, @Nullable Correlation before, ValueResult result) {
        SchemaProps items = schema.items();
        if (items != null) {
            for (int i = 0; i < array.size(); i++) {
                Correlation element = before == null ? null : before.element(i);
                result.merge(check(items, array.get(i), path + "[" + i + "]", element));
            }
        }
        Long min = schema.count("minItems");
        Long max = schema.count("maxItems");
        if (min != null && array.size() < min) {
            result.invalid(path, array.size(), "should have at least " + min + " items");
        }
        if (max != null && array.size() > max) {
            result.tooManyItems(path, array.size(), max);
        }
        if (schema.source().bool("uniqueItems") && new LinkedHashSet<>(array.elements()).size() < array.size()) {
            result.invalid(path, new JsonString(""), "shouldn't contain duplicates");
        }
    }

    private static void checkObject(
            SchemaProps schema, JsonObject object, String path, @Nullable Correlation before, ValueResult result) {
        int size = object.members().size();
        Long min = schema.count("minProperties");
        Long max = schema.count("maxProperties");
        if (min != null && size < min) {
            result.invalid(path, size, "should have at least " + min + " properties");
        }
        if (max != null && size > max) {
            result.tooManyProperties(path, size, max);
        }
        SchemaProps.Additional additional = schema.additionalProperties();
        if (additional != null) {
            object.members().forEach((name, value) -> {
                if (schema.properties().containsKey(name)) {
                    return;
                }
                if (!additional.allows()) {
                    result.unknownMember(path, name);
                } else if (additional.schema() != null) {
                    Correlation member = before == null ? null : before.field(name);
                    result.merge(check(additional.schema(), value, path + "." + name, member));
                }
            });
        }
        schema.properties().forEach((name, property) -> {
            JsonValue value = object.get(name);
            if (value != null) {
                boolean typeField = path.isEmpty() && TYPE_FIELDS.contains(name);
                Correlation member = before == null || typeField ? null : before.field(name);
                result.merge(check(property, value, path.isEmpty() ? name : path + "." + name, member));
            }
        });
        for (String name : schema.required()) {
            if (!object.has(name)) {
                result.required(path + "." + name);
            }
        }
    }
}
