/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * JSON values as plain Java values: {@code Map}, {@code List}, {@code String}, {@code Long} or {@code BigDecimal},
 * {@code Boolean} and null. This module depends on no JSON library. Stateless.
 */
final class RawValues {

    private RawValues() {}

    /** Returns the value of well-formed JSON text. Collections are unmodifiable. O(n) in the bytes. */
    static @Nullable Object parse(byte[] text, int begin, int end) {
        return switch (text[begin]) {
            case '{' -> object(text, begin + 1, end - 1);
            case '[' -> array(text, begin + 1, end - 1);
            case '"' -> string(text, begin, end);
            case 't' -> true;
            case 'f' -> false;
            case 'n' -> null;
            default -> number(new String(text, begin, end - begin, StandardCharsets.US_ASCII));
        };
    }

    /** Returns raw members as a map, in their order. */
    static Map<String, @Nullable Object> object(byte[] text, int begin, int end) {
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        RawMembers raw = new RawMembers(text, begin, end);
        while (raw.next()) {
            members.put(raw.name(), raw.value());
        }
        return Collections.unmodifiableMap(members);
    }

    private static List<@Nullable Object> array(byte[] text, int begin, int end) {
        List<@Nullable Object> elements = new ArrayList<>();
        RawMembers raw = new RawMembers(text, begin, end);
        while (raw.nextElement()) {
            elements.add(raw.value());
        }
        return Collections.unmodifiableList(elements);
    }

    private static Object number(String text) {
        BigDecimal value = new BigDecimal(text);
        boolean whole = text.chars().allMatch(c -> c == '-' || (c >= '0' && c <= '9'));
        return whole && value.toBigInteger().bitLength() < Long.SIZE ? (Object) value.longValue() : value;
    }

    /** Returns the text of a string in quotes. */
    static String string(byte[] text, int begin, int end) {
        String raw = new String(text, begin + 1, end - begin - 2, StandardCharsets.UTF_8);
        if (raw.indexOf('\\') < 0) {
            return raw;
        }
        StringBuilder plain = new StringBuilder(raw.length());
        for (int i = 0; i < raw.length(); i++) {
            char c = raw.charAt(i);
            if (c != '\\') {
                plain.append(c);
                continue;
            }
            char escape = raw.charAt(++i);
            switch (escape) {
                case 'b' -> plain.append('\b');
                case 'f' -> plain.append('\f');
                case 'n' -> plain.append('\n');
                case 'r' -> plain.append('\r');
                case 't' -> plain.append('\t');
                case 'u' -> {
                    plain.append((char) Integer.parseInt(raw.substring(i + 1, i + 5), 16));
                    i += 4;
                }
                default -> plain.append(escape);
            }
        }
        return plain.toString();
    }

    /**
     * Returns the JSON text of a value.
     *
     * @throws IllegalArgumentException if JSON has no such value; the message names its class
     */
    static String write(@Nullable Object value) {
        StringBuilder out = new StringBuilder();
        write(out, value);
        return out.toString();
    }

    private static void write(StringBuilder out, @Nullable Object value) {
        if (value instanceof String text) {
            JsonStrings.quote(out, text);
        } else if (value instanceof Map<?, ?> members) {
            writeObject(out, members);
        } else if (value instanceof Collection<?> elements) {
            String separator = "";
            out.append('[');
            for (Object element : elements) {
                write(out.append(separator), element);
                separator = ",";
            }
            out.append(']');
        } else if (value == null || value instanceof Boolean || isNumber(value)) {
            out.append(value);
        } else {
            throw unsupported("a value of " + value.getClass().getName());
        }
    }

    private static void writeObject(StringBuilder out, Map<?, ?> members) {
        String separator = "";
        out.append('{');
        for (Map.Entry<?, ?> member : members.entrySet()) {
            if (!(member.getKey() instanceof String name)) {
                throw unsupported("a map with the key " + member.getKey());
            }
            JsonStrings.quote(out.append(separator), name);
            write(out.append(':'), member.getValue());
            separator = ",";
        }
        out.append('}');
    }

    private static boolean isNumber(Object value) {
        return value instanceof Integer
                || value instanceof Long
                || value instanceof BigDecimal
                || value instanceof BigInteger
                || (value instanceof Double real && Double.isFinite(real));
    }

    private static IllegalArgumentException unsupported(String what) {
        return new IllegalArgumentException(
                "Cannot write " + what + " as JSON: use String, Boolean, Integer, Long, finite"
                        + " Double, BigInteger, BigDecimal, null, lists, and maps with String keys");
    }
}
