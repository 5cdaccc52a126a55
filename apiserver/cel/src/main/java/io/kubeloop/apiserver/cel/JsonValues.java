/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.cel;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import dev.cel.common.exceptions.CelInvalidArgumentException;
import dev.cel.common.values.CelByteString;
import dev.cel.common.values.NullValue;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonBoolean;
import io.kubeloop.json.tree.JsonNull;
import io.kubeloop.json.tree.JsonNumber;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonString;
import io.kubeloop.json.tree.JsonValue;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Values of JSON as values of CEL (upstream: {@code apiserver/pkg/cel/common/valuesunstructured.go}). Objects and lists
 * are views that convert an element when it is read. Static functions only.
 */
final class JsonValues {

    private static final Pattern DURATION_PART =
            Pattern.compile("(\\d+(?:\\.\\d*)?|\\.\\d+)\\s*([A-Za-z\u00b5\u03bc]+)");

    /** The nanoseconds of a unit, by the start of its name; the first fitting unit counts. */
    private static final List<String> UNITS = List.of("ns", "nano", "us", "\u00b5s", "\u03bcs", "micro", "ms", "milli");

    private JsonValues() {}

    /** Returns the value of JSON without a schema. */
    static Object plain(@Nullable JsonValue json) {
        if (json == null || json == JsonNull.NULL) {
            return NullValue.NULL_VALUE;
        }
        if (json instanceof JsonString text) {
            return text.value();
        }
        if (json instanceof JsonBoolean bool) {
            return bool.value();
        }
        if (json instanceof JsonNumber number) {
            Long whole = number.toLong();
            return whole == null || isFraction(number) ? (Object) Double.parseDouble(number.text()) : whole;
        }
        return json instanceof JsonArray array ? ListView.of(array, null) : new ObjectView((JsonObject) json, null);
    }

    private static boolean isFraction(JsonNumber number) {
        return number.text().chars().anyMatch(c -> c == '.' || c == 'e' || c == 'E');
    }

    /** Returns the CEL value of a JSON value with a schema; a null schema means plain JSON. */
    static Object of(@Nullable JsonValue json, @Nullable JsonObject schema) {
        if (schema == null) {
            return plain(json);
        }
        if (json == null || json == JsonNull.NULL) {
            if (CelSchemas.isNullable(schema)) {
                return NullValue.NULL_VALUE;
            }
            throw new CelInvalidArgumentException("invalid data, got null for schema with nullable=false");
        }
        if (CelSchemas.isIntOrString(schema)) {
            return plain(json);
        }
        return switch (schema.string("type")) {
            case "object" ->
                json instanceof JsonObject object
                        ? new ObjectView(object, CelSchemas.embedded(schema))
                        : fail("a map for the provided schema with type=object");
            case "array" ->
                json instanceof JsonArray array
                        ? ListView.of(array, schema)
                        : fail("an array for the provided schema with type=array");
            case "string" -> json instanceof JsonString text ? text(text.value(), schema) : fail("string");
            case "number" ->
                json instanceof JsonNumber number ? (Object) Double.parseDouble(number.text()) : fail("float");
            case "integer" -> json instanceof JsonNumber number ? integer(number) : fail("int");
            case "boolean" -> json instanceof JsonBoolean bool ? (Object) bool.value() : fail("bool");
            default -> plain(json);
        };
    }

    private static Object fail(String expected) {
        throw new CelInvalidArgumentException("invalid data, expected " + expected);
    }

    private static Object integer(JsonNumber number) {
        Long whole = number.toLong();
        return whole == null || isFraction(number) ? fail("int, got float64") : (Object) whole;
    }

    private static Object text(String text, JsonObject schema) {
        try {
            return switch (schema.string("format")) {
                case "byte" -> CelByteString.of(Base64.getDecoder().decode(text));
                case "duration" -> duration(text);
                case "date" -> LocalDate.parse(text).atStartOfDay().toInstant(ZoneOffset.UTC);
                case "date-time" -> instant(text);
                default -> text;
            };
        } catch (RuntimeException e) {
            String what = schema.string("format").equals("duration")
                    ? "duration "
                    : schema.string("format") + " formatted string ";
            throw new CelInvalidArgumentException("Invalid " + what + text + ": " + e.getMessage());
        }
    }

    private static Instant instant(String text) {
        return OffsetDateTime.parse(text.toUpperCase(Locale.ROOT)).toInstant();
    }

    /** Reads a duration as Go writes it, such as {@code 1h30m}, or in words, such as {@code 5 minutes}. */
    static Duration duration(String text) {
        boolean negative = text.startsWith("-");
        Duration sum = Duration.ZERO;
        Matcher part = DURATION_PART.matcher(text);
        while (part.find()) {
            double nanos = Double.parseDouble(part.group(1)) * nanos(part.group(2));
            sum = sum.plusNanos(Math.round(nanos));
        }
        return negative ? sum.negated() : sum;
    }

    private static double nanos(String unit) {
        String name = unit.toLowerCase(Locale.ROOT);
        for (int i = 0; i < UNITS.size(); i++) {
            if (name.startsWith(UNITS.get(i))) {
                return i < 2 ? 1 : i < 6 ? 1e3 : 1e6;
            }
        }
        return switch (name.charAt(0)) {
            case 's' -> 1e9;
            case 'm' -> 60e9;
            case 'h' -> 3600e9;
            case 'd' -> 24 * 3600e9;
            case 'w' -> 7 * 24 * 3600e9;
            default -> 0;
        };
    }
}
