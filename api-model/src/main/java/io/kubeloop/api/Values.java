package io.kubeloop.api;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Null to zero value: the absence rule of this package, in the one place where it is applied. */
final class Values {

    private Values() {}

    static String orEmpty(@Nullable String value) {
        return value == null ? "" : value;
    }

    static <T> List<T> orEmpty(@Nullable List<T> list) {
        return list == null || list.isEmpty() ? List.of() : List.copyOf(list);
    }

    /** Keeps the order of entries, which {@link Map#copyOf} does not: an object is written back as it was read. */
    static <V> Map<String, V> orEmpty(@Nullable Map<String, V> map) {
        if (map == null || map.isEmpty()) {
            return Map.of();
        }
        if (map.size() == 1) {
            Map.Entry<String, V> only = map.entrySet().iterator().next();
            return Map.of(only.getKey(), only.getValue());
        }
        return Collections.unmodifiableMap(new LinkedHashMap<>(map));
    }

    static UnknownFields orNone(@Nullable UnknownFields fields) {
        return fields == null ? UnknownFields.NONE : fields;
    }
}
