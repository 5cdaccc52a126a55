/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.json.tree;

import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.client.DecodeException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An object, with its members in the order in which they were read or set. Immutable.
 *
 * <p>A change returns a new object that shares all unchanged members with the old one. It costs O(members of the levels
 * on the path). A replaced member keeps its place; a new one goes to the end.
 *
 * <p>A <em>path</em> is a sequence of member names. Each name is a member of the object that the previous name leads
 * to.
 */
public final class JsonObject implements JsonValue {

    /** The object without members. */
    public static final JsonObject EMPTY = new JsonObject(Map.of());

    private final Map<String, JsonValue> members;

    private JsonObject(Map<String, JsonValue> members) {
        this.members = members;
    }

    /** Uses the map, perhaps without a copy; the caller must not change it afterwards. */
    static JsonObject wrap(Map<String, JsonValue> members) {
        return members.isEmpty() ? EMPTY : new JsonObject(MemberMap.of(members));
    }

    /** Returns an object with these members, in the map's order. Copies. */
    public static JsonObject of(Map<String, ? extends JsonValue> members) {
        return wrap(new LinkedHashMap<>(members));
    }

    /** Returns the members for which a record has no component. O(n) in their bytes. */
    public static JsonObject of(UnknownFields members) {
        if (members.encoding() instanceof TreeEncoding encoding) {
            byte[] raw = new byte[members.length()];
            members.copyTo(raw, 0);
            return encoding.toTree(raw);
        }
        return parse(members.json());
    }

    /** Returns an object with one member. */
    public static JsonObject of(String name, JsonValue value) {
        return EMPTY.with(name, value);
    }

    /** Returns an empty builder. */
    public static Builder builder() {
        return new Builder(new LinkedHashMap<>());
    }

    /**
     * Reads a document that must be an object.
     *
     * @throws DecodeException if it is anything else
     */
    public static JsonObject parse(byte[] document) {
        return require(JsonValue.parse(document));
    }

    /**
     * Reads a document that must be an object.
     *
     * @throws DecodeException if it is anything else
     */
    public static JsonObject parse(String document) {
        return require(JsonValue.parse(document));
    }

    private static JsonObject require(JsonValue value) {
        if (value instanceof JsonObject object) {
            return object;
        }
        throw new DecodeException(
                "expected a JSON object at path $, found " + value.getClass().getSimpleName(), null);
    }

    /** Returns the members, in order; unmodifiable. */
    public Map<String, JsonValue> members() {
        return members;
    }

    /** Returns whether the object has no members. */
    public boolean isEmpty() {
        return members.isEmpty();
    }

    /** Returns whether a member has this name, even if it is {@code null}. */
    public boolean has(String name) {
        return members.containsKey(name);
    }

    /** Returns the value at the path, or null if a member on it is absent or not an object. */
    public @Nullable JsonValue get(String... path) {
        JsonValue value = this;
        for (String name : path) {
            value = value instanceof JsonObject object ? object.members.get(name) : null;
            if (value == null) {
                return null;
            }
        }
        return value;
    }

    /** Returns the object at the path, empty if there is none. */
    public JsonObject object(String... path) {
        return get(path) instanceof JsonObject object ? object : EMPTY;
    }

    /** Returns the array at the path, empty if there is none. */
    public JsonArray array(String... path) {
        return get(path) instanceof JsonArray array ? array : JsonArray.EMPTY;
    }

    /** Returns the string at the path, empty if there is none. */
    public String string(String... path) {
        return get(path) instanceof JsonString string ? string.value() : "";
    }

    /** Returns the members that are strings, in order; unmodifiable. O(members). */
    public Map<String, String> strings() {
        Map<String, String> strings = new LinkedHashMap<>();
        members.forEach((name, value) -> {
            if (value instanceof JsonString string) {
                strings.put(name, string.value());
            }
        });
        return Collections.unmodifiableMap(strings);
    }

    /** Returns the whole number at the path, or null if there is none or it does not fit. */
    public @Nullable Long number(String... path) {
        return get(path) instanceof JsonNumber number ? number.toLong() : null;
    }

    /** Returns whether {@code true} is at the path. */
    public boolean bool(String... path) {
        return get(path) == JsonBoolean.TRUE;
    }

    /** Returns the object with this member set. */
    public JsonObject with(String name, JsonValue value) {
        if (value.equals(members.get(name))) {
            return this;
        }
        Map<String, JsonValue> changed = new LinkedHashMap<>(members);
        changed.put(name, value);
        return wrap(changed);
    }

    /** Returns the object with this member set. */
    public JsonObject with(String name, String value) {
        return with(name, new JsonString(value));
    }

    /** Returns the object with this member set. */
    public JsonObject with(String name, long value) {
        return with(name, JsonNumber.of(value));
    }

    /** Returns the object with this member set. */
    public JsonObject with(String name, boolean value) {
        return with(name, JsonBoolean.of(value));
    }

    /**
     * Returns the object with the value at the path set. Absent members on the path, and members that are not objects,
     * become objects.
     */
    public JsonObject with(List<String> path, JsonValue value) {
        String name = path.get(0);
        return path.size() == 1
                ? with(name, value)
                : with(name, object(name).with(path.subList(1, path.size()), value));
    }

    /** Returns the object with the string at the path set; see {@link #with(List, JsonValue)}. */
    public JsonObject with(List<String> path, String value) {
        return with(path, new JsonString(value));
    }

    /** Returns the object without this member. */
    public JsonObject without(String name) {
        if (!members.containsKey(name)) {
            return this;
        }
        Map<String, JsonValue> changed = new LinkedHashMap<>(members);
        changed.remove(name);
        return wrap(changed);
    }

    /** Returns the object without the member at the path; objects on the path that become empty remain. */
    public JsonObject without(List<String> path) {
        String name = path.get(0);
        if (path.size() == 1) {
            return without(name);
        }
        return members.get(name) instanceof JsonObject inner
                ? with(name, inner.without(path.subList(1, path.size())))
                : this;
    }

    /** Returns the object with the members of another one, which replace its own. O(n + m). */
    public JsonObject withAll(JsonObject more) {
        Map<String, JsonValue> all = new LinkedHashMap<>(members);
        all.putAll(more.members);
        return wrap(all);
    }

    /** Returns the object with the members of another one that it lacks. O(n + m). */
    public JsonObject withMissing(JsonObject more) {
        Map<String, JsonValue> all = new LinkedHashMap<>(members);
        more.members.forEach(all::putIfAbsent);
        return wrap(all);
    }

    /**
     * Returns the same object, with parts of earlier results of this method in place of parts with the same text. For
     * objects that are kept for long. O(n).
     */
    public JsonObject withSharedParts() {
        return (JsonObject) new PartInterner().share(this);
    }

    /** Returns the members as {@link UnknownFields}, the form in which a record stores members without a component. */
    public UnknownFields toUnknownFields() {
        String text = toString();
        return UnknownFields.ofMembers(text.substring(1, text.length() - 1));
    }

    /** Returns a builder that begins with these members. */
    public Builder toBuilder() {
        return new Builder(new LinkedHashMap<>(members));
    }

    /** Compares members by name, in any order. */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof JsonObject that && members.equals(that.members);
    }

    @Override
    public int hashCode() {
        return members.hashCode();
    }

    @Override
    public String toString() {
        return JsonWriter.write(this);
    }

    /** Collects members. Not thread-safe; used up by {@link #build()}. */
    public static final class Builder {

        private @Nullable Map<String, JsonValue> members;

        private Builder(Map<String, JsonValue> members) {
            this.members = members;
        }

        private Map<String, JsonValue> open() {
            if (members == null) {
                throw new IllegalStateException("this builder has built its object already");
            }
            return members;
        }

        /** Sets a member. */
        public Builder put(String name, JsonValue value) {
            open().put(name, value);
            return this;
        }

        /** Sets a member. */
        public Builder put(String name, String value) {
            return put(name, new JsonString(value));
        }

        /** Sets a member. */
        public Builder put(String name, long value) {
            return put(name, JsonNumber.of(value));
        }

        /** Sets a member. */
        public Builder put(String name, boolean value) {
            return put(name, JsonBoolean.of(value));
        }

        /** Removes a member if it is present. */
        public Builder remove(String name) {
            open().remove(name);
            return this;
        }

        /** Returns the member of this name, or null. */
        public @Nullable JsonValue get(String name) {
            return open().get(name);
        }

        /** Returns the object. */
        public JsonObject build() {
            JsonObject object = wrap(open());
            members = null;
            return object;
        }
    }
}
