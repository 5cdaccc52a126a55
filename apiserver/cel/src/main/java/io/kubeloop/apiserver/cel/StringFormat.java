/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.cel;

import com.google.common.primitives.UnsignedLong;
import dev.cel.common.exceptions.CelInvalidArgumentException;
import dev.cel.common.values.CelByteString;
import dev.cel.common.values.NullValue;
import io.kubeloop.json.gotext.GoNumbers;
import io.kubeloop.json.gotext.GoText;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** The function {@code format} of strings (upstream: cel-go's {@code ext/formatting.go}). Static functions only. */
final class StringFormat {

    private static final int DEFAULT_PRECISION = 6;

    /** The digits of a precision; a longer one would make a text of megabytes from one number. */
    private static final int LONGEST_PRECISION = 4;

    private StringFormat() {}

    /** Replaces the clauses of a format, such as {@code %s} and {@code %.2f}, by the arguments. */
    static String format(String format, List<?> arguments) {
        BoundedFunctions.requireWritable(arguments);
        StringBuilder text = new StringBuilder();
        int argument = 0;
        int i = 0;
        while (i < format.length()) {
            char c = format.charAt(i++);
            if (c != '%') {
                text.append(c);
                continue;
            }
            if (i < format.length() && format.charAt(i) == '%') {
                text.append('%');
                i++;
                continue;
            }
            int precision = DEFAULT_PRECISION;
            if (i < format.length() && format.charAt(i) == '.') {
                int start = ++i;
                while (i < format.length() && Character.isDigit(format.charAt(i))) {
                    i++;
                }
                precision = precision(format.substring(start, i));
            }
            if (i >= format.length()) {
                throw new CelInvalidArgumentException("unexpected end of string");
            }
            if (argument >= arguments.size()) {
                throw new CelInvalidArgumentException("index " + argument + " out of range");
            }
            text.append(clause(format.charAt(i++), precision, arguments.get(argument++)));
        }
        return text.toString();
    }

    private static int precision(String digits) {
        BoundedFunctions.requireCharacters(digits.length() > LONGEST_PRECISION ? Long.MAX_VALUE : 0);
        return digits.isEmpty() ? 0 : Integer.parseInt(digits);
    }

    private static String clause(char kind, int precision, Object value) {
        return switch (kind) {
            case 's' -> text(value);
            case 'd' -> decimal(value, "decimal clause can only be used on integers");
            case 'f' -> String.format(Locale.US, "%,." + precision + "f", real(value, "fixed-point"));
            case 'e' -> String.format(Locale.US, "%." + precision + "e", real(value, "scientific"));
            case 'b' ->
                value instanceof Boolean bool
                        ? (bool ? "1" : "0")
                        : Long.toString(integer(value, "only integers and bools can be formatted as binary"), 2);
            case 'o' -> Long.toString(integer(value, "octal clause can only be used on integers"), 8);
            case 'x' -> hexadecimal(value);
            case 'X' -> hexadecimal(value).toUpperCase(Locale.ROOT);
            default ->
                throw new CelInvalidArgumentException(
                        "could not parse formatting clause: unrecognized formatting clause \"" + kind + "\"");
        };
    }

    private static CelInvalidArgumentException unsupported(String rule, Object value) {
        return new CelInvalidArgumentException(
                "error during formatting: " + rule + ", was given " + ErrorTexts.typeName(value));
    }

    private static String decimal(Object value, String rule) {
        if (value instanceof Long || value instanceof UnsignedLong) {
            return value.toString();
        }
        throw unsupported(rule, value);
    }

    private static long integer(Object value, String rule) {
        if (value instanceof Long || value instanceof UnsignedLong) {
            return ((Number) value).longValue();
        }
        throw unsupported(rule, value);
    }

    private static double real(Object value, String clause) {
        if (value instanceof Double number) {
            return number;
        }
        throw unsupported(clause + " clause can only be used on doubles", value);
    }

    private static String hexadecimal(Object value) {
        if (value instanceof String text) {
            return HexFormat.of().formatHex(text.getBytes(StandardCharsets.UTF_8));
        }
        if (value instanceof CelByteString bytes) {
            return HexFormat.of().formatHex(bytes.toByteArray());
        }
        return Long.toString(integer(value, "only integers, byte buffers, and strings can be formatted as hex"), 16);
    }

    private static String text(Object value) {
        if (value instanceof List<?> list) {
            return list.stream().map(StringFormat::inside).collect(Collectors.joining(", ", "[", "]"));
        }
        if (value instanceof Map<?, ?> map) {
            return map.entrySet().stream()
                    .map(entry -> inside(entry.getKey()) + ":" + inside(entry.getValue()))
                    .sorted()
                    .collect(Collectors.joining(", ", "{", "}"));
        }
        if (value instanceof Double number) {
            return GoNumbers.plain(number);
        }
        if (value instanceof CelByteString bytes) {
            return new String(bytes.toByteArray(), StandardCharsets.UTF_8);
        }
        if (value instanceof Duration duration) {
            return seconds(duration);
        }
        if (value == NullValue.NULL_VALUE) {
            return "null";
        }
        if (value instanceof String
                || value instanceof Long
                || value instanceof UnsignedLong
                || value instanceof Boolean
                || value instanceof Instant) {
            return value.toString();
        }
        throw unsupported(
                "string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations,"
                        + " and timestamps",
                value);
    }

    private static String inside(Object value) {
        if (value instanceof String text) {
            return GoText.quoted(text);
        }
        if (value instanceof CelByteString) {
            return "b" + GoText.quoted(text(value));
        }
        if (value instanceof Instant) {
            return "timestamp(" + GoText.quoted(text(value)) + ")";
        }
        if (value instanceof Duration) {
            return "duration(" + GoText.quoted(text(value)) + ")";
        }
        return value instanceof Double number
                ? String.format(Locale.US, "%." + DEFAULT_PRECISION + "f", number)
                : text(value);
    }

    /** Returns the text of a duration in seconds. */
    static String seconds(Duration duration) {
        return BigDecimal.valueOf(duration.getSeconds())
                        .add(BigDecimal.valueOf(duration.getNano(), 9))
                        .stripTrailingZeros()
                        .toPlainString()
                + "s";
    }
}
