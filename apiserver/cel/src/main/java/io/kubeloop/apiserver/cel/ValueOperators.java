/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.cel;

import com.google.common.primitives.UnsignedLong;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The operators of lists whose meaning depends on the type of the list: the order of sets and of maps does not count
 * (upstream: {@code unstructuredSetList}, {@code unstructuredMapList}). Static functions only.
 */
final class ValueOperators {

    private ValueOperators() {}

    static boolean areEqual(Object one, Object other) {
        if (one instanceof List<?> list) {
            return other instanceof List<?> that && list.size() == that.size() && areEqualLists(list, that);
        }
        if (one instanceof Map<?, ?> map) {
            return other instanceof Map<?, ?> that && map.size() == that.size() && areEqualMaps(map, that);
        }
        if (one instanceof Number number && other instanceof Number that) {
            return areEqualNumbers(number, that);
        }
        return Objects.equals(one, other);
    }

    private static boolean areEqualLists(List<?> list, List<?> other) {
        if (list instanceof ListView view && view.isSet()) {
            return other.stream().allMatch(view::contains);
        }
        if (list instanceof ListView view && view.isMap()) {
            return other.stream().allMatch(element -> {
                Object counterpart = find(view, view.keys(), element);
                return counterpart != null && areEqual(counterpart, element);
            });
        }
        Iterator<?> others = other.iterator();
        return list.stream().allMatch(element -> areEqual(element, others.next()));
    }

    private static @Nullable Object find(List<?> list, List<String> keys, Object element) {
        return list.stream()
                .filter(candidate -> candidate instanceof ObjectView mine
                        && element instanceof ObjectView that
                        && keys.stream()
                                .allMatch(key -> Objects.equals(
                                        mine.json().get(key), that.json().get(key))))
                .findFirst()
                .orElse(null);
    }

    private static boolean areEqualMaps(Map<?, ?> map, Map<?, ?> other) {
        return map.entrySet().stream().allMatch(entry -> {
            Object value = other.get(entry.getKey());
            return value != null && areEqual(entry.getValue(), value);
        });
    }

    private static boolean areEqualNumbers(Number one, Number other) {
        if (one instanceof Double number && (number.isNaN() || number.isInfinite())) {
            return one.doubleValue() == other.doubleValue();
        }
        if (other instanceof Double number && (number.isNaN() || number.isInfinite())) {
            return false;
        }
        return exact(one).compareTo(exact(other)) == 0;
    }

    private static BigDecimal exact(Number number) {
        if (number instanceof UnsignedLong unsigned) {
            return new BigDecimal(unsigned.bigIntegerValue());
        }
        return number instanceof Double decimal ? new BigDecimal(decimal) : BigDecimal.valueOf(number.longValue());
    }

    /** Returns the elements of both lists; those of the second replace those of the first in a set or a map. */
    static List<Object> concatenated(List<?> one, List<?> other) {
        if (!(one instanceof ListView view) || !(view.isSet() || view.isMap())) {
            return BoundedFunctions.concatenated(one, other);
        }
        List<Object> all = new ArrayList<>(view);
        for (Object element : other) {
            if (view.isSet()) {
                if (!view.contains(element)) {
                    all.add(element);
                }
                continue;
            }
            Object replaced = find(all, view.keys(), element);
            if (replaced == null) {
                all.add(element);
            } else {
                all.set(all.indexOf(replaced), element);
            }
        }
        return view.with(all);
    }
}
