/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.cel;

import dev.cel.common.exceptions.CelInvalidArgumentException;
import dev.cel.common.types.CelType;
import dev.cel.common.types.SimpleType;
import java.util.Arrays;
import java.util.List;

/**
 * Functions of strings whose offsets beyond the end cel-go and the library read differently (upstream: cel-go's {@code
 * ext/strings.go}). Offsets count characters. Static functions only.
 */
final class StringFunctions {

    private static final CelType STRING = SimpleType.STRING;
    private static final CelType INT = SimpleType.INT;

    static final List<FunctionRow> ROWS = List.of(
            FunctionRow.member("indexOf", "string_index_of_string", INT, a -> first(a, 0), STRING, STRING),
            FunctionRow.member(
                    "indexOf", "string_index_of_string_int", INT, a -> first(a, (Long) a[2]), STRING, STRING, INT),
            FunctionRow.member(
                    "lastIndexOf",
                    "string_last_index_of_string",
                    INT,
                    a -> last(a, characters(a[0]).length),
                    STRING,
                    STRING),
            FunctionRow.member(
                    "lastIndexOf",
                    "string_last_index_of_string_int",
                    INT,
                    a -> last(a, (Long) a[2]),
                    STRING,
                    STRING,
                    INT),
            FunctionRow.member(
                    "substring",
                    "string_substring_int",
                    STRING,
                    a -> substring(a, (Long) a[1], characters(a[0]).length),
                    STRING,
                    INT),
            FunctionRow.member(
                    "substring",
                    "string_substring_int_int",
                    STRING,
                    a -> substring(a, (Long) a[1], (Long) a[2]),
                    STRING,
                    INT,
                    INT));

    private StringFunctions() {}

    private static int[] characters(Object text) {
        return ((String) text).codePoints().toArray();
    }

    private static CelInvalidArgumentException outOfRange(long index) {
        return new CelInvalidArgumentException("index out of range: " + index);
    }

    private static boolean isAt(int[] text, int[] part, int at) {
        return at + part.length <= text.length && Arrays.equals(text, at, at + part.length, part, 0, part.length);
    }

    private static Object first(Object[] arguments, long offset) {
        if (offset < 0) {
            throw outOfRange(offset);
        }
        int[] text = characters(arguments[0]);
        int[] part = characters(arguments[1]);
        int from = (int) Math.min(offset, text.length);
        for (int at = from; at <= text.length - part.length; at++) {
            if (isAt(text, part, at)) {
                return (long) at;
            }
        }
        return -1L;
    }

    /** An offset at the end or beyond finds an empty part only. */
    private static Object last(Object[] arguments, long offset) {
        if (offset < 0) {
            throw outOfRange(offset);
        }
        int[] text = characters(arguments[0]);
        int[] part = characters(arguments[1]);
        boolean isBeyond = arguments.length > 2 && offset >= text.length && part.length > 0;
        for (int at = isBeyond ? -1 : (int) Math.min(offset, text.length); at >= 0; at--) {
            if (isAt(text, part, at)) {
                return (long) at;
            }
        }
        return -1L;
    }

    private static Object substring(Object[] arguments, long start, long end) {
        int[] text = characters(arguments[0]);
        if (arguments.length > 2 && start > end) {
            throw new CelInvalidArgumentException("invalid substring range. start: " + start + ", end: " + end);
        }
        if (start < 0 || start > text.length) {
            throw outOfRange(start);
        }
        if (end > text.length) {
            throw outOfRange(end);
        }
        return new String(text, (int) start, (int) (end - start));
    }
}
