package io.kubeloop.apiserver.customresources.values;

import io.kubeloop.apiserver.customresources.schema.SchemaProps;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonValue;
import org.jspecify.annotations.Nullable;

/**
 * A value and the value that it replaces (upstream: {@code cel/common.CorrelatedObject}). Fields are found by their name,
 * elements of a list of type {@code map} by their keys. Other elements have no counterpart. Confined to one validation.
 */
final class Correlation {

    private final SchemaProps schema;
    private final JsonValue value;
    private final @Nullable JsonValue old;

    Correlation(SchemaProps schema, JsonValue value, @Nullable JsonValue old) {
        this.schema = schema;
        this.value = value;
        this.old = old;
    }

    boolean isUnchanged() {
        return value.equals(old);
    }

    /** Returns the correlation of a field; null if the field is new or has no schema. */
    @Nullable
    Correlation field(String name) {
        SchemaProps member = schema.member(name);
        if (member == null || !(value instanceof JsonObject now) || !(old instanceof JsonObject before)) {
            return null;
        }
        JsonValue present = now.get(name);
        JsonValue previous = before.get(name);
        return present == null || previous == null ? null : new Correlation(member, present, previous);
    }

    /** Returns the correlation of an element; null if it has no counterpart. */
    @Nullable
    Correlation element(int index) {
        SchemaProps items = schema.items();
        if (items == null
                || !"map".equals(schema.listType())
                || !(value instanceof JsonArray now)
                || !(old instanceof JsonArray before)
                || !(now.get(index) instanceof JsonObject element)) {
            return null;
        }
        return before.objects()
                .filter(candidate -> sameKeys(element, candidate))
                .findFirst()
                .map(previous -> new Correlation(items, element, previous))
                .orElse(null);
    }

    private boolean sameKeys(JsonObject one, JsonObject other) {
        return schema.listMapKeys().stream().allMatch(key -> {
            JsonValue mine = one.get(key);
            return mine == null ? !other.has(key) : mine.equals(other.get(key));
        });
    }
}
