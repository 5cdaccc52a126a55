/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.customresources.objects;

import io.kubeloop.apiserver.customresources.schema.SchemaProps;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonNull;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonValue;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Sets the default values of a schema. Static functions only. */
public final class Defaulting {

    private Defaulting() {}

    /**
     * Returns a value with defaults in place of absent members, and in place of {@code null} where it is not allowed.
     * Returns the same instance if there is nothing to set.
     */
    public static JsonValue apply(JsonValue value, @Nullable SchemaProps schema) {
        if (schema == null) {
            return value;
        }
        if (value instanceof JsonArray array) {
            return apply(array, schema);
        }
        return value instanceof JsonObject object ? apply(object, schema) : value;
    }

    /** Returns an object with defaults; see {@link #apply(JsonValue, SchemaProps)}. */
    public static JsonObject apply(JsonObject object, SchemaProps schema) {
        Map<String, JsonValue> members = new LinkedHashMap<>(object.members());
        boolean changed = false;
        for (Map.Entry<String, SchemaProps> property : schema.properties().entrySet()) {
            JsonValue initial = property.getValue().initial();
            JsonValue present = members.get(property.getKey());
            if (initial != null && (present == null || isUnwantedNull(present, property.getValue()))) {
                members.put(property.getKey(), initial);
                changed = true;
            }
        }
        for (Map.Entry<String, JsonValue> member : members.entrySet()) {
            SchemaProps own = schema.member(member.getKey());
            JsonValue replaced = isUnwantedNull(member.getValue(), own) ? orNull(own) : member.getValue();
            JsonValue completed = apply(replaced, own);
            changed |= completed != member.getValue();
            member.setValue(completed);
        }
        return changed ? JsonObject.of(members) : object;
    }

    private static JsonArray apply(JsonArray array, SchemaProps schema) {
        SchemaProps items = schema.items();
        List<JsonValue> elements = new ArrayList<>(array.size());
        boolean changed = false;
        for (JsonValue element : array) {
            JsonValue completed = apply(isUnwantedNull(element, items) ? orNull(items) : element, items);
            changed |= completed != element;
            elements.add(completed);
        }
        return changed ? JsonArray.of(elements) : array;
    }

    private static boolean isUnwantedNull(JsonValue value, @Nullable SchemaProps schema) {
        return value == JsonNull.NULL && schema != null && !schema.nullable();
    }

    private static JsonValue orNull(@Nullable SchemaProps schema) {
        JsonValue initial = schema == null ? null : schema.initial();
        return initial == null ? JsonNull.NULL : initial;
    }
}
