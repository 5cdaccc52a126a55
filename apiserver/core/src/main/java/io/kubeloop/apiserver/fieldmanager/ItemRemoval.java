/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.fieldmanager;

import io.kubeloop.json.schema.TypeSchema;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonNull;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonValue;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Removes fields from a value (upstream: {@code typed/remove.go}). Thread-safe: stateless. */
final class ItemRemoval {

    private ItemRemoval() {}

    /**
     * Returns the value without these fields.
     *
     * @return the value; {@code null} of JSON if nothing is left of it
     */
    static JsonValue remove(JsonValue value, FieldSet fields, TypeSchema declared) {
        if (fields.isEmpty()) {
            return value;
        }
        TypeSchema type = Types.deduce(declared, value);
        if (Types.isScalar(type)) {
            return value;
        }
        if (Types.isAtomic(type) || Types.isEmpty(type, value)) {
            return JsonNull.NULL;
        }
        if (type instanceof TypeSchema.ListOf list && value instanceof JsonArray array) {
            return removeElements(array, fields, list);
        }
        return value instanceof JsonObject object ? removeMembers(object, fields, type) : JsonNull.NULL;
    }

    private static JsonValue removeMembers(JsonObject object, FieldSet fields, TypeSchema type) {
        Map<String, JsonValue> kept = new LinkedHashMap<>();
        for (Map.Entry<String, JsonValue> member : object.members().entrySet()) {
            PathElement element = new PathElement.Field(member.getKey());
            if (!fields.has(element)) {
                TypeSchema memberType = Types.orAny(Types.member(type, member.getKey()));
                kept.put(member.getKey(), remove(member.getValue(), fields.below(element), memberType));
            }
        }
        return kept.isEmpty() ? JsonNull.NULL : JsonObject.of(kept);
    }

    private static JsonValue removeElements(JsonArray array, FieldSet fields, TypeSchema.ListOf list) {
        List<JsonValue> kept = new ArrayList<>(array.size());
        for (JsonValue item : array) {
            PathElement element = ListItems.identity(list, item);
            if (element == null) {
                kept.add(item);
            } else if (!fields.has(element)) {
                kept.add(remove(item, fields.below(element), list.elements()));
            }
        }
        return kept.isEmpty() ? JsonNull.NULL : JsonArray.of(kept);
    }
}
