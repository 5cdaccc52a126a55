/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.cel;

import com.google.common.primitives.UnsignedLong;
import dev.cel.common.exceptions.CelInvalidArgumentException;
import dev.cel.common.types.TypeType;
import dev.cel.common.values.CelByteString;
import dev.cel.common.values.NullValue;
import io.kubeloop.json.gotext.GoText;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** The function {@code format} of strings (upstream: cel-go's {@code ext/formatting.go}). Static functions only. */
final class StringFormat {

    private static final int DEFAULT_PRECISION = 6;

    /** The digits of a precision; a longer one would make a text of megabytes from one number. */
    private static final int LONGEST_PRECISION = 4;

    private static final String SUPERSCRIPTS = "\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079";

    private StringFormat() {}

    /** Writes the arguments of a format. */
    interface Clauses {

        int count();

        /** Returns the text of an argument by a clause, or throws {@link CelInvalidArgumentException}. */
        String text(char clause, int precision, int argument);
    }

    /** Replaces the clauses of a format, such as {@code %s} and {@code %.2f}, by the arguments. */
    static String format(String format, List<?> arguments) {
        BoundedFunctions.requireWritable(arguments);
        StringBuilder text = new StringBuilder();
        write(format, text, new Clauses() {
            @Override
            public int count() {
                return arguments.size();
            }

            @Override
            public String text(char clause, int precision, int argument) {
                return clause(clause, precision, arguments.get(argument));
            }
        });
        return text.toString();
    }

    /** Writes the text of a format, and returns the number of its arguments. */
    static int write(String format, StringBuilder text, Clauses clauses) {
        int argument = 0;
        int i = 0;
        while (i < format.length()) {
            char c = format.charAt(i++);
            if (c != '%') {
                text.append(c);
                continue;
            }
            if (format.startsWith("%", i)) {
                text.append('%');
                i++;
                continue;
            }
            if (argument >= clauses.count()) {
                throw new CelInvalidArgumentException("index " + argument + " out of range");
            }
            if (i >= format.length()) {
                throw new CelInvalidArgumentException("unexpected end of string");
            }
            int precision = DEFAULT_PRECISION;
            if (format.charAt(i) == '.') {
                int start = ++i;
                while (i < format.length() && format.charAt(i) >= '0' && format.charAt(i) <= '9') {
                    i++;
                }
                precision = precision(format.substring(start, i), i == format.length());
            }
            text.append(clauses.text(format.charAt(i++), precision, argument++));
        }
        return argument;
    }

    private static int precision(String digits, boolean isEnd) {
        BoundedFunctions.requireCharacters(digits.length() > LONGEST_PRECISION ? Long.MAX_VALUE : 0);
        String problem = isEnd
                ? "could not find end of precision specifier"
                : "error while converting precision to integer: strconv.Atoi: parsing \"\": invalid syntax";
        if (isEnd || digits.isEmpty()) {
            throw unparsable("error while parsing precision: " + problem);
        }
        return Integer.parseInt(digits);
    }

    private static CelInvalidArgumentException unparsable(String why) {
        return new CelInvalidArgumentException("could not parse formatting clause: " + why);
    }

    static CelInvalidArgumentException unsupported(char clause, String type) {
        String rule = switch (clause) {
            case 's' ->
                "string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations,"
                        + " and timestamps";
            case 'd' -> "decimal clause can only be used on integers";
            case 'f' -> "fixed-point clause can only be used on doubles";
            case 'e' -> "scientific clause can only be used on doubles";
            case 'b' -> "only integers and bools can be formatted as binary";
            case 'o' -> "octal clause can only be used on integers";
            case 'x', 'X' -> "only integers, byte buffers, and strings can be formatted as hex";
            default -> throw unparsable("unrecognized formatting clause \"" + clause + "\"");
        };
        return failed(rule + ", was given " + type);
    }

    private static CelInvalidArgumentException failed(String why) {
        return new CelInvalidArgumentException("error during formatting: " + why);
    }

    private static String clause(char clause, int precision, Object value) {
        Optional<String> text = switch (clause) {
            case 's' -> text(value);
            case 'd' -> integer(value, 10);
            case 'b' -> value instanceof Boolean bool ? Optional.of(bool ? "1" : "0") : integer(value, 2);
            case 'o' -> integer(value, 8);
            case 'x' -> hexadecimal(value);
            case 'X' -> hexadecimal(value).map(digits -> digits.toUpperCase(Locale.ROOT));
            case 'f' -> real(value).map(number -> fixed(number, precision));
            case 'e' -> real(value).map(number -> scientific(number, precision));
            default -> Optional.empty();
        };
        return text.orElseThrow(() -> unsupported(clause, ErrorTexts.typeName(value)));
    }

    private static Optional<String> integer(Object value, int radix) {
        return value instanceof Long number
                ? Optional.of(Long.toString(number, radix))
                : value instanceof UnsignedLong number ? Optional.of(number.toString(radix)) : Optional.empty();
    }

    private static Optional<String> hexadecimal(Object value) {
        if (value instanceof String text) {
            return Optional.of(HexFormat.of().formatHex(text.getBytes(StandardCharsets.UTF_8)));
        }
        return value instanceof CelByteString bytes
                ? Optional.of(HexFormat.of().formatHex(bytes.toByteArray()))
                : integer(value, 16);
    }

    private static Optional<Double> real(Object value) {
        if (value instanceof Double number) {
            return Optional.of(number);
        }
        boolean isNamed = value.equals("NaN") || value.equals("Infinity") || value.equals("-Infinity");
        return isNamed ? Optional.of(Double.valueOf((String) value)) : Optional.empty();
    }

    private static String special(double number) {
        return Double.isNaN(number) ? "NaN" : number > 0 ? "\u221e" : "-\u221e";
    }

    /** Returns a number in English, rounded by its exact value. */
    private static String fixed(double number, int precision) {
        return Double.isNaN(number) || Double.isInfinite(number) ? special(number) : grouped(plain(number, precision));
    }

    private static String plain(double number, int precision) {
        String digits = new BigDecimal(number)
                .setScale(precision, RoundingMode.HALF_EVEN)
                .toPlainString();
        return number < 0 && !digits.startsWith("-") ? "-" + digits : digits;
    }

    private static String grouped(String text) {
        int point = text.indexOf('.');
        StringBuilder grouped = new StringBuilder(text);
        int first = text.startsWith("-") ? 1 : 0;
        for (int at = (point < 0 ? text.length() : point) - 3; at > first; at -= 3) {
            grouped.insert(at, ',');
        }
        return grouped.toString();
    }

    /** Returns a number with six digits of the fraction; upstream takes the precision as the width. */
    private static String scientific(double number, int width) {
        String text = special(number);
        if (!Double.isNaN(number) && !Double.isInfinite(number)) {
            String digits = String.format(Locale.ROOT, "%.6e", rounded(number));
            int e = digits.indexOf('e');
            text = digits.substring(0, e) + "\u00d710"
                    + digits.substring(e + 1)
                            .replace("+", "")
                            .chars()
                            .mapToObj(c -> c == '-' ? "\u207b" : SUPERSCRIPTS.substring(c - '0', c - '0' + 1))
                            .collect(Collectors.joining());
        }
        return " ".repeat(Math.max(0, width - text.length())) + text;
    }

    private static BigDecimal rounded(double number) {
        BigDecimal exact = new BigDecimal(number);
        return exact.round(new MathContext(DEFAULT_PRECISION + 1, RoundingMode.HALF_EVEN));
    }

    private static Optional<String> text(Object value) {
        if (value instanceof List<?> list) {
            return Optional.of(list.stream().map(StringFormat::inside).collect(Collectors.joining(", ", "[", "]")));
        }
        if (value instanceof Map<?, ?> map) {
            return Optional.of(map.entrySet().stream()
                    .map(entry -> key(entry.getKey()) + ":" + inside(entry.getValue()))
                    .sorted()
                    .collect(Collectors.joining(", ", "{", "}")));
        }
        if (value instanceof CelByteString bytes) {
            try {
                return Optional.of(Conversions.text(bytes));
            } catch (CelInvalidArgumentException e) {
                throw failed(
                        "could not convert argument " + GoText.quoted(String.valueOf(e.getMessage())) + " to string");
            }
        }
        if (value == NullValue.NULL_VALUE) {
            return Optional.of("null");
        }
        if (value instanceof TypeType type) {
            return Optional.of(ErrorTexts.name(type.type()));
        }
        boolean isSimple = value instanceof String
                || value instanceof Number
                || value instanceof Boolean
                || value instanceof Instant
                || value instanceof Duration;
        return isSimple ? Optional.of(Conversions.text(value)) : Optional.empty();
    }

    private static String key(Object key) {
        if (key instanceof String || key instanceof Boolean || key instanceof Long || key instanceof UnsignedLong) {
            return inside(key);
        }
        throw failed("no formatting function for map key of type " + ErrorTexts.typeName(key));
    }

    private static String inside(Object value) {
        String text = value instanceof Double number && !Double.isNaN(number) && !Double.isInfinite(number)
                ? plain(number, DEFAULT_PRECISION)
                : text(value).orElseThrow(() -> failed("no formatting function for " + ErrorTexts.typeName(value)));
        if (value instanceof String) {
            return GoText.quoted(text);
        }
        if (value instanceof CelByteString) {
            return "b" + GoText.quoted(text);
        }
        if (value instanceof Instant) {
            return "timestamp(" + GoText.quoted(text) + ")";
        }
        if (value instanceof Duration) {
            return "duration(" + GoText.quoted(text) + ")";
        }
        return value instanceof Double number && (Double.isNaN(number) || Double.isInfinite(number))
                ? GoText.quoted(text)
                : text;
    }
}
