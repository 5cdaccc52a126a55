/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.cel;

import com.google.common.primitives.UnsignedLong;
import dev.cel.common.exceptions.CelInvalidArgumentException;
import dev.cel.common.exceptions.CelNumericOverflowException;
import dev.cel.common.types.CelType;
import dev.cel.common.types.ListType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.types.TypeParamType;
import dev.cel.common.values.CelByteString;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BinaryOperator;

/** The functions of lists (upstream: {@code library/lists.go}). Static functions only. */
final class ListFunctions {

    private static final CelType ELEMENT = TypeParamType.create("A");

    /** The types of values that have an order. */
    static final Map<String, CelType> COMPARABLE = new LinkedHashMap<>();

    static {
        COMPARABLE.put("int", SimpleType.INT);
        COMPARABLE.put("uint", SimpleType.UINT);
        COMPARABLE.put("double", SimpleType.DOUBLE);
        COMPARABLE.put("bool", SimpleType.BOOL);
        COMPARABLE.put("duration", SimpleType.DURATION);
        COMPARABLE.put("timestamp", SimpleType.TIMESTAMP);
        COMPARABLE.put("string", SimpleType.STRING);
        COMPARABLE.put("bytes", SimpleType.BYTES);
    }

    private static final Map<String, Object> ZEROS =
            Map.of("int", 0L, "uint", UnsignedLong.ZERO, "double", 0.0, "duration", Duration.ZERO);

    static final List<FunctionRow> ROWS = rows();

    private ListFunctions() {}

    private static List<FunctionRow> rows() {
        List<FunctionRow> rows = new ArrayList<>();
        COMPARABLE.forEach((name, type) -> {
            ListType list = ListType.create(type);
            rows.add(FunctionRow.member(
                    "isSorted", "list_" + name + "_is_sorted_bool", SimpleType.BOOL, ListFunctions::isSorted, list));
            rows.add(FunctionRow.member(
                    "max",
                    "list_" + name + "_max_" + name,
                    type,
                    arguments -> extreme("max", arguments, (x, y) -> compare(x, y) < 0 ? y : x),
                    list));
            rows.add(FunctionRow.member(
                    "min",
                    "list_" + name + "_min_" + name,
                    type,
                    arguments -> extreme("min", arguments, (x, y) -> compare(x, y) > 0 ? y : x),
                    list));
            Object zero = ZEROS.get(name);
            if (zero != null) {
                rows.add(FunctionRow.member(
                        "sum", "list_" + name + "_sum_" + name, type, arguments -> sum(zero, arguments), list));
            }
        });
        rows.add(FunctionRow.member(
                "indexOf",
                "list_a_index_of_int",
                SimpleType.INT,
                arguments -> position((List<?>) arguments[0], arguments[1], true),
                ListType.create(ELEMENT),
                ELEMENT));
        rows.add(FunctionRow.member(
                "lastIndexOf",
                "list_a_last_index_of_int",
                SimpleType.INT,
                arguments -> position((List<?>) arguments[0], arguments[1], false),
                ListType.create(ELEMENT),
                ELEMENT));
        return List.copyOf(rows);
    }

    @SuppressWarnings({"unchecked", "rawtypes"}) // the types are checked before
    static int compare(Object one, Object other) {
        if (one instanceof CelByteString bytes && other instanceof CelByteString others) {
            return Arrays.compareUnsigned(bytes.toByteArray(), others.toByteArray());
        }
        if (one instanceof Comparable comparable && one.getClass() == other.getClass()) {
            return comparable.compareTo(other);
        }
        throw new CelInvalidArgumentException("no such overload");
    }

    private static Object isSorted(Object[] arguments) {
        Object before = null;
        for (Object element : (List<?>) arguments[0]) {
            if (before != null && compare(before, element) > 0) {
                return false;
            }
            before = element;
        }
        return true;
    }

    private static Object extreme(String name, Object[] arguments, BinaryOperator<Object> choice) {
        return ((List<?>) arguments[0])
                .stream()
                        .map(Object.class::cast)
                        .reduce(choice)
                        .orElseThrow(() -> new CelInvalidArgumentException(name + " called on empty list"));
    }

    private static Object sum(Object zero, Object[] arguments) {
        Object sum = zero;
        for (Object element : (List<?>) arguments[0]) {
            sum = add(sum, element);
        }
        return sum;
    }

    private static Object add(Object one, Object other) {
        try {
            if (one instanceof Long number && other instanceof Long addend) {
                return Math.addExact(number, addend);
            }
            if (one instanceof Double number && other instanceof Double addend) {
                return number + addend;
            }
            if (one instanceof Duration duration && other instanceof Duration addend) {
                return duration.plus(addend);
            }
            if (one instanceof UnsignedLong number && other instanceof UnsignedLong addend) {
                return number.plus(addend);
            }
        } catch (ArithmeticException e) {
            throw new CelNumericOverflowException("integer overflow");
        }
        throw new CelInvalidArgumentException("no such overload");
    }

    private static Object position(List<?> list, Object element, boolean first) {
        long found = -1;
        for (int i = 0; i < list.size(); i++) {
            if (ValueOperators.areEqual(list.get(i), element)) {
                if (first) {
                    return (long) i;
                }
                found = i;
            }
        }
        return found;
    }
}
