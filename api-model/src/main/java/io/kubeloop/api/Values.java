/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Replaces null by the zero value of a component. Compact constructors of records use it. Stateless. */
public final class Values {

    private Values() {}

    public static String orEmpty(@Nullable String value) {
        return value == null ? "" : value;
    }

    public static <T> List<T> orEmpty(@Nullable List<T> list) {
        return list == null || list.isEmpty() ? List.of() : List.copyOf(list);
    }

    /**
     * Returns an unmodifiable copy in the same order, unlike {@link Map#copyOf}, so an object is written as it
     * was read. A map that this method returned is not copied again.
     */
    public static <V> Map<String, V> orEmpty(@Nullable Map<String, V> map) {
        if (map == null || map.isEmpty()) {
            return Collections.emptyMap(); // unlike Map.of(), it accepts get(null)
        }
        if (map instanceof CompactMap) {
            return map;
        }
        return map.size() <= CompactMap.MAX_ENTRIES
                ? new CompactMap<>(map)
                : Collections.unmodifiableMap(new LinkedHashMap<>(map));
    }

    public static UnknownFields orNone(@Nullable UnknownFields fields) {
        return fields == null ? UnknownFields.NONE : fields;
    }
}
