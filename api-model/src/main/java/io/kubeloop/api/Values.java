package io.kubeloop.api;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Turns null into the zero value of a component. Records apply it in their compact constructors, so that absent fields follow
 * one rule. Thread-safe: stateless. */
public final class Values {

    private Values() {}

    public static String orEmpty(@Nullable String value) {
        return value == null ? "" : value;
    }

    public static <T> List<T> orEmpty(@Nullable List<T> list) {
        return list == null || list.isEmpty() ? List.of() : List.copyOf(list);
    }

    /**
     * Keeps the order of entries, which {@link Map#copyOf} does not: an object is written back as it was read. Copies
     * nothing that is already a map of this kind.
     */
    public static <V> Map<String, V> orEmpty(@Nullable Map<String, V> map) {
        if (map == null || map.isEmpty()) {
            return Collections.emptyMap(); // unlike Map.of(), answers get(null)
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
