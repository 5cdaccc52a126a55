/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.typed;

import io.kubeloop.json.schema.StructSchema;
import io.kubeloop.json.schema.TypeSchema;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Orders members as Go's {@code encoding/json} writes them, which sorts the entries of a map by name. Thread-safe:
 * stateless.
 */
public final class MapOrder {

    private MapOrder() {}

    /** Returns the object with the entries of its maps sorted by name. The fields of structs keep their order. */
    public static JsonObject sorted(StructSchema type, JsonObject object) {
        JsonObject.Builder result = JsonObject.builder();
        object.members().forEach((name, value) -> {
            StructSchema.Field field = type.field(name);
            result.put(name, sorted(field == null ? type.others() : field.type(), value));
        });
        return result.build();
    }

    private static JsonValue sorted(@Nullable TypeSchema type, JsonValue value) {
        if (type instanceof StructSchema struct && value instanceof JsonObject object) {
            return sorted(struct, object);
        }
        if (type instanceof TypeSchema.MapOf map && value instanceof JsonObject object) {
            Map<String, JsonValue> entries = new TreeMap<>(object.members());
            entries.replaceAll((name, entry) -> sorted(map.values(), entry));
            return JsonObject.of(entries);
        }
        if (type instanceof TypeSchema.ListOf list && value instanceof JsonArray array) {
            List<JsonValue> elements = new ArrayList<>(array.elements());
            elements.replaceAll(element -> sorted(list.elements(), element));
            return JsonArray.of(elements);
        }
        return value;
    }
}
