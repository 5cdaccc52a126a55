/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.cel;

import dev.cel.common.exceptions.CelInvalidArgumentException;
import dev.cel.common.types.CelType;
import dev.cel.common.types.ListType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.types.TypeParamType;
import dev.cel.runtime.RuntimeHelpers;
import io.kubeloop.apiserver.expressions.Expression;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.RandomAccess;

/**
 * Functions whose result may be far larger than their arguments, instead of those of the library. The cost of a call is
 * counted after the call, so these functions end an evaluation before they make what it could not use. Static
 * functions only.
 */
final class BoundedFunctions {

    /** The most characters of a text. */
    private static final long MOST_CHARACTERS = 4 * Expression.COST_LIMIT;

    private static final int SHORT_LIST = 256;

    private static final CelType STRING = SimpleType.STRING;
    private static final CelType STRINGS = ListType.create(STRING);
    private static final CelType LIST = ListType.create(TypeParamType.create("T"));

    static final List<FunctionRow> ROWS = List.of(
            FunctionRow.global(
                    "lists.range",
                    "lists_range",
                    ListType.create(SimpleType.INT),
                    arguments -> range((Long) arguments[0]),
                    SimpleType.INT),
            FunctionRow.member("distinct", "list_distinct", LIST, a -> distinct((List<?>) a[0]), LIST),
            FunctionRow.member("flatten", "list_flatten", LIST, a -> flattened((List<?>) a[0], 1), LIST),
            FunctionRow.member(
                    "flatten",
                    "list_flatten_list_int",
                    LIST,
                    arguments -> flattened((List<?>) arguments[0], (Long) arguments[1]),
                    LIST,
                    SimpleType.INT),
            FunctionRow.member("join", "list_join", STRING, a -> joined((List<?>) a[0], ""), STRINGS),
            FunctionRow.member(
                    "join", "list_join_string", STRING, a -> joined((List<?>) a[0], (String) a[1]), STRINGS, STRING),
            FunctionRow.member(
                    "replace",
                    "string_replace_string_string",
                    STRING,
                    a -> replaced((String) a[0], (String) a[1], (String) a[2], -1),
                    STRING,
                    STRING,
                    STRING),
            FunctionRow.member(
                    "replace",
                    "string_replace_string_string_int",
                    STRING,
                    a -> replaced((String) a[0], (String) a[1], (String) a[2], (Long) a[3]),
                    STRING,
                    STRING,
                    STRING,
                    SimpleType.INT));

    private BoundedFunctions() {}

    /** The numbers below an end, which take no memory. */
    private static final class Range extends AbstractList<Object> implements RandomAccess {

        private final int end;

        Range(int end) {
            this.end = end;
        }

        @Override
        public Object get(int index) {
            if (index < 0 || index >= end) {
                throw new IndexOutOfBoundsException(index);
            }
            return (long) index;
        }

        @Override
        public int size() {
            return end;
        }
    }

    /** Two lists, one after the other. */
    private static final class Joined extends AbstractList<Object> {

        private final List<?> one;
        private final List<?> other;

        Joined(List<?> one, List<?> other) {
            this.one = one;
            this.other = other;
        }

        @Override
        public Object get(int index) {
            return index < one.size() ? one.get(index) : other.get(index - one.size());
        }

        @Override
        public int size() {
            return one.size() + other.size();
        }
    }

    private static List<Object> range(long end) {
        requireElements(end);
        return new Range((int) Math.max(0, end));
    }

    /**
     * Returns the elements of both lists. A view of two long lists, so doubling a list again and again is cheap.
     */
    @SuppressWarnings("unchecked") // lists of values
    static List<Object> concatenated(List<?> one, List<?> other) {
        requireElements((long) one.size() + other.size());
        return one.size() > SHORT_LIST && other.size() > SHORT_LIST
                ? new Joined(one, other)
                : RuntimeHelpers.concat((List<Object>) one, (List<Object>) other);
    }

    private static List<Object> distinct(List<?> list) {
        requireElements(2L * list.size() * list.size());
        List<Object> distinct = new ArrayList<>();
        for (Object element : list) {
            if (distinct.stream().noneMatch(known -> ValueOperators.areEqual(known, element))) {
                distinct.add(element);
            }
        }
        return distinct;
    }

    private static List<Object> flattened(List<?> list, long levels) {
        List<Object> result = new ArrayList<>();
        flatten(list, levels, result);
        return result;
    }

    /** A negative number of levels means all. */
    private static void flatten(List<?> list, long levels, List<Object> result) {
        for (Object element : list) {
            if (element instanceof List<?> inner && levels != 0) {
                flatten(inner, levels - 1, result);
            } else {
                result.add(element);
                requireElements(result.size());
            }
        }
    }

    private static String joined(List<?> list, String separator) {
        StringBuilder joined = new StringBuilder();
        String before = "";
        for (Object element : list) {
            if (!(element instanceof String text)) {
                throw new CelInvalidArgumentException("no such overload");
            }
            requireCharacters((long) joined.length() + before.length() + text.length());
            joined.append(before).append(text);
            before = separator;
        }
        return joined.toString();
    }

    /** As in Go, an empty text occurs before each character and at the end. A negative limit means none. */
    private static String replaced(String text, String old, String by, long limit) {
        StringBuilder result = new StringBuilder();
        int from = 0;
        int found = text.indexOf(old);
        for (long count = 0; found >= 0 && count != limit; count++) {
            requireCharacters((long) result.length() + found - from + by.length());
            result.append(text, from, found).append(by);
            from = found + old.length();
            int next = old.isEmpty() && from < text.length() ? text.offsetByCodePoints(from, 1) : from;
            found = old.isEmpty() && from == text.length() ? -1 : text.indexOf(old, next);
        }
        requireCharacters((long) result.length() + text.length() - from);
        return result.append(text, from, text.length()).toString();
    }

    /** Ends the evaluation if a list would cost more than any evaluation may. */
    private static void requireElements(long count) {
        if (count > Expression.COST_LIMIT) {
            throw new CostCounter.CostExceededError();
        }
    }

    /** Ends the evaluation if a text would have more characters than one may make. */
    static void requireCharacters(long count) {
        if (count > MOST_CHARACTERS) {
            throw new CostCounter.CostExceededError();
        }
    }

    /** Ends the evaluation if values would have too long a text; counts at most as far as that. */
    static void requireWritable(Object value) {
        written(value, 0);
    }

    private static long written(Object value, long before) {
        long sum = before + 1;
        if (value instanceof String text) {
            sum += 2L * text.length();
        } else if (value instanceof List<?> list) {
            for (Object element : list) {
                sum = written(element, sum);
            }
        } else if (value instanceof Map<?, ?> map) {
            for (Map.Entry<?, ?> entry : map.entrySet()) {
                sum = written(entry.getValue(), written(entry.getKey(), sum));
            }
        }
        requireCharacters(sum);
        return sum;
    }
}
