/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.cel;

import io.kubeloop.json.tree.JsonNull;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonValue;
import java.util.AbstractMap;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An object of JSON as a map of CEL (upstream: {@code unstructuredMap}). Its members are converted when they are read.
 * A property that is null is absent; so is a member without a schema. Immutable.
 */
final class ObjectView extends AbstractMap<String, Object> {

    private final JsonObject object;
    private final @Nullable JsonObject schema;
    private final JsonObject properties;
    private final boolean hasProperties;

    /**
     * Creates a view.
     *
     * @param schema the schema of the object; null for plain JSON
     */
    ObjectView(JsonObject object, @Nullable JsonObject schema) {
        this.object = object;
        this.schema = schema;
        properties = schema == null ? JsonObject.EMPTY : schema.object("properties");
        hasProperties = !properties.isEmpty();
    }

    JsonObject json() {
        return object;
    }

    @Override
    public @Nullable Object get(@Nullable Object key) {
        String name = key instanceof String text ? property(text) : null;
        JsonValue value = name == null ? null : object.get(name);
        if (name == null || value == null) {
            return null;
        }
        if (schema == null) {
            return JsonValues.plain(value);
        }
        JsonObject member = member(name);
        boolean absent = member == null || (hasProperties && value == JsonNull.NULL);
        return absent ? null : JsonValues.of(value, member);
    }

    private @Nullable String property(String key) {
        return hasProperties ? CelNames.unescape(key) : key;
    }

    private @Nullable JsonObject member(String name) {
        if (schema == null) {
            return null;
        }
        Object declared = hasProperties ? properties.get(name) : schema.get("additionalProperties");
        return declared instanceof JsonObject some ? some : null;
    }

    @Override
    public boolean containsKey(@Nullable Object key) {
        return get(key) != null;
    }

    /** As upstream, the size counts every member. */
    @Override
    public int size() {
        return object.members().size();
    }

    @Override
    public Set<Entry<String, Object>> entrySet() {
        Set<Entry<String, Object>> entries = new LinkedHashSet<>();
        for (String name : object.members().keySet()) {
            String escaped = hasProperties ? CelNames.escape(name) : name;
            String key = escaped == null ? name : escaped;
            Object value = get(key);
            if (value != null) {
                entries.add(new SimpleImmutableEntry<>(key, value));
            }
        }
        return entries;
    }
}
