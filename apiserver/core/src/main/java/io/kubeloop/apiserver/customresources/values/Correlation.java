/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.customresources.values;

import io.kubeloop.apiserver.customresources.schema.SchemaProps;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonValue;
import org.jspecify.annotations.Nullable;

/**
 * A value and the value that it replaces (upstream: {@code cel/common.CorrelatedObject}). Fields are found by their
 * name, elements of a list of type {@code map} by their keys. Other elements have no counterpart. Confined to one
 * validation.
 */
public final class Correlation {

    private final SchemaProps schema;
    private final JsonValue value;
    private final @Nullable JsonValue old;

    /** Creates the correlation of a value and of the one that it replaces; null if there is none. */
    public Correlation(SchemaProps schema, JsonValue value, @Nullable JsonValue old) {
        this.schema = schema;
        this.value = value;
        this.old = old;
    }

    /** Returns whether the value is equal to the one that it replaces. */
    public boolean isUnchanged() {
        return value.equals(old);
    }

    /** Returns the correlation of a field; null if the field is new or has no schema. */
    public @Nullable Correlation field(String name) {
        SchemaProps member = schema.member(name);
        if (member == null || !(value instanceof JsonObject now) || !(old instanceof JsonObject before)) {
            return null;
        }
        JsonValue present = now.get(name);
        JsonValue previous = before.get(name);
        return present == null || previous == null ? null : new Correlation(member, present, previous);
    }

    /** Returns the correlation of an element; null if it has no counterpart. */
    public @Nullable Correlation element(int index) {
        SchemaProps items = schema.items();
        JsonValue element = value instanceof JsonArray now ? now.get(index) : null;
        JsonValue previous = element == null ? null : counterpart(schema, element, old);
        return items == null || element == null || previous == null ? null : new Correlation(items, element, previous);
    }

    /**
     * Returns the element of an old list that has the keys of an element of the new list; null if there is none, or if
     * the list is not of type {@code map}.
     *
     * @param schema the schema of the list
     */
    public static @Nullable JsonObject counterpart(SchemaProps schema, JsonValue element, @Nullable JsonValue old) {
        if (!"map".equals(schema.listType())
                || !(old instanceof JsonArray before)
                || !(element instanceof JsonObject object)) {
            return null;
        }
        return before.objects()
                .filter(candidate -> sameKeys(schema, object, candidate))
                .findFirst()
                .orElse(null);
    }

    private static boolean sameKeys(SchemaProps schema, JsonObject one, JsonObject other) {
        return schema.listMapKeys().stream().allMatch(key -> {
            JsonValue mine = one.get(key);
            return mine == null ? !other.has(key) : mine.equals(other.get(key));
        });
    }
}
