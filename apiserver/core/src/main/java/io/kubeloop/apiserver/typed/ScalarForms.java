/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.typed;

import io.kubeloop.json.gotext.GoNumbers;
import io.kubeloop.json.schema.Quantities;
import io.kubeloop.json.schema.TypeSchema.Scalar;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonNull;
import io.kubeloop.json.tree.JsonNumber;
import io.kubeloop.json.tree.JsonString;
import io.kubeloop.json.tree.JsonValue;
import java.io.ByteArrayOutputStream;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/** Checks scalars and returns their canonical JSON. Thread-safe: stateless. */
final class ScalarForms {

    private ScalarForms() {}

    /** Returns the canonical form of a number; null if the number is not of this type. */
    static @Nullable JsonValue number(Scalar type, String text) {
        if (type == Scalar.NUMBER) {
            double value = Double.parseDouble(text);
            return Double.isInfinite(value) ? null : new JsonNumber(GoNumbers.json(value));
        }
        try {
            // The grammar of JSON allows no plus sign and no leading zeros.
            long value = Long.parseLong(text);
            boolean fits = type == Scalar.INT64 || value == (int) value;
            return fits ? JsonNumber.of(value) : null;
        } catch (NumberFormatException e) {
            return null;
        }
    }

    /**
     * Returns a number as Go writes it after it has decoded it without a type twice, before and after it is stored: the
     * text of negative zero is then a whole number. Returns null if the number is too large.
     */
    static @Nullable JsonValue untypedNumber(String text) {
        JsonValue whole = number(Scalar.INT64, text);
        JsonValue decimal = whole == null ? number(Scalar.NUMBER, text) : whole;
        return decimal != null && decimal.toString().equals("-0") ? JsonNumber.of(0) : decimal;
    }

    /** Returns the canonical form of a quantity, from the raw text of a JSON value of any type. */
    static JsonValue quantity(String raw) {
        boolean isQuoted = raw.length() >= 2 && raw.startsWith("\"") && raw.endsWith("\"");
        String text = (isQuoted ? raw.substring(1, raw.length() - 1) : raw).strip();
        return new JsonString(Quantities.canonical(text));
    }

    /** Returns the canonical form of a time, in seconds or microseconds, or of a duration. */
    static JsonValue time(Scalar type, String text) {
        if (type == Scalar.DURATION) {
            return new JsonString(DurationText.canonical(text));
        }
        String canonical = GoTime.canonical(text, type == Scalar.MICRO_TIME);
        return canonical.isEmpty() ? JsonNull.NULL : new JsonString(canonical);
    }

    /**
     * Returns the canonical form of base64 text that {@link Base64Errors} has checked. Line breaks in the text are
     * ignored.
     */
    static JsonValue base64(String text) {
        boolean broken = text.indexOf('\n') >= 0 || text.indexOf('\r') >= 0;
        return new JsonString(broken ? text.replace("\n", "").replace("\r", "") : text);
    }

    /** Returns the base64 text of bytes that are given as a list of numbers. */
    static JsonValue base64(JsonArray numbers) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (JsonValue number : numbers) {
            Long value = number instanceof JsonNumber n ? n.toLong() : null;
            bytes.write(value == null ? 0 : value.intValue());
        }
        return new JsonString(Base64.getEncoder().encodeToString(bytes.toByteArray()));
    }
}
