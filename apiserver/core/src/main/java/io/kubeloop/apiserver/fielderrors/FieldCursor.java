/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.fielderrors;

import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonNull;
import io.kubeloop.json.tree.JsonNumber;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonString;
import io.kubeloop.json.tree.JsonValue;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A field of an object under validation: its path, its value and the errors to which its checks add.
 *
 * <p>A field without a value, and a field of a value that is not an object, are absent. Checks of an absent field add
 * nothing unless their names say otherwise. Confined to the thread that validates.
 */
public final class FieldCursor {

    private final String path;
    private final @Nullable JsonValue value;
    private final FieldErrors errors;

    /** The value that the client has sent, with its empty lists and maps; null if it is not known. */
    private final @Nullable JsonValue sent;

    private FieldCursor(String path, @Nullable JsonValue value, @Nullable JsonValue sent, FieldErrors errors) {
        this.path = path;
        this.value = value == JsonNull.NULL ? null : value;
        this.sent = sent;
        this.errors = errors;
    }

    /**
     * Returns the cursor of a whole object. Where the object has no value, messages show the empty list or map that the
     * client has sent, if it is recorded.
     */
    public static FieldCursor of(JsonObject object, FieldErrors errors) {
        return new FieldCursor("", object, errors.sent(), errors);
    }

    /** Returns the cursor of the state before a change. */
    public static FieldCursor ofOld(JsonObject old, FieldErrors errors) {
        return new FieldCursor("", old, null, errors);
    }

    /** Returns the cursor of a field below this one. */
    public FieldCursor at(String... names) {
        FieldCursor result = this;
        for (String name : names) {
            result = new FieldCursor(
                    result.path.isEmpty() ? name : result.path + "." + name,
                    result.object().get(name),
                    result.sentMember(name),
                    errors);
        }
        return result;
    }

    /** Returns the cursor of an entry of a map, whose path is {@code path[key]}. */
    public FieldCursor entry(String key) {
        return new FieldCursor(path + "[" + key + "]", object().get(key), sentMember(key), errors);
    }

    private @Nullable JsonValue sentMember(String name) {
        return sent instanceof JsonObject object ? object.get(name) : null;
    }

    /** Returns the cursors of the entries of a map, in order. */
    public List<FieldCursor> entries() {
        return object().members().keySet().stream().map(this::entry).toList();
    }

    /** Returns the cursors of the elements of a list, in order. */
    public List<FieldCursor> items() {
        List<FieldCursor> items = new ArrayList<>();
        List<JsonValue> sentItems =
                sent instanceof JsonArray all && all.size() == array().size() ? all.elements() : List.of();
        for (JsonValue element : array()) {
            int i = items.size();
            JsonValue sentItem = i < sentItems.size() ? sentItems.get(i) : null;
            items.add(new FieldCursor(path + "[" + i + "]", element, sentItem, errors));
        }
        return items;
    }

    /** Returns this value under another path, for upstream's messages that do not name the field as documents do. */
    public FieldCursor named(String otherPath) {
        return new FieldCursor(otherPath, value, sent, errors);
    }

    /** Returns this path with another value, for a check of a value that is derived. */
    public FieldCursor holding(@Nullable JsonValue other) {
        return new FieldCursor(path, other, null, errors);
    }

    /** Returns this field with a value that is derived, which messages show as that of the client. */
    public FieldCursor showing(JsonValue derived) {
        return new FieldCursor(path, derived, sent, errors);
    }

    /** Returns this path with the string, or with the empty string of an absent field, which Go does not tell apart. */
    public FieldCursor holdingText() {
        return holding(new JsonString(text()));
    }

    /** Returns this path with the number, or with the 0 of an absent field, which Go does not tell apart. */
    public FieldCursor holdingNumber() {
        return holding(JsonNumber.of(number()));
    }

    /** Returns this field for a rule that upstream declares beside the type, whose errors follow all others. */
    public FieldCursor declared() {
        return new FieldCursor(path, value, sent, errors.declared());
    }

    /** Returns the path, such as {@code spec.containers[0].name}. */
    public String path() {
        return path;
    }

    /** Returns the errors to which checks add. */
    public FieldErrors errors() {
        return errors;
    }

    /** Returns the value; null if the field is absent. */
    public @Nullable JsonValue value() {
        return value;
    }

    /**
     * Returns the value that messages show: that of the client if it is an empty list or map. Inside of a value
     * upstream's encoder omits them.
     */
    public JsonValue shown() {
        JsonValue shown = value == null && sent != null ? withEmpty(null, sent) : value;
        return shown == null ? JsonNull.NULL : shown;
    }

    private static @Nullable JsonValue withEmpty(@Nullable JsonValue value, JsonValue sent) {
        if (value == null || value == JsonNull.NULL) {
            boolean isEmpty = (sent instanceof JsonArray array && array.isEmpty())
                    || (sent instanceof JsonObject object && object.isEmpty());
            return isEmpty ? sent : null;
        }
        if (value instanceof JsonObject object && sent instanceof JsonObject other) {
            JsonObject.Builder changed = JsonObject.builder();
            for (Map.Entry<String, JsonValue> member : other.members().entrySet()) {
                JsonValue shown = withEmpty(object.get(member.getKey()), member.getValue());
                if (shown != null) {
                    changed.put(member.getKey(), shown);
                }
            }
            return object.withAll(changed.build());
        }
        if (value instanceof JsonArray array && sent instanceof JsonArray other && array.size() == other.size()) {
            List<JsonValue> elements = new ArrayList<>();
            for (int i = 0; i < array.size(); i++) {
                JsonValue shown = withEmpty(array.get(i), other.get(i));
                elements.add(shown == null ? array.get(i) : shown);
            }
            return JsonArray.of(elements);
        }
        return value;
    }

    /**
     * Returns the object with all empty lists and maps of the client, which a dump of its Go struct shows; empty if the
     * field is none.
     */
    public JsonObject shownObject() {
        JsonValue shown = sent == null ? value : withEmpty(value, sent);
        return shown instanceof JsonObject object ? object : JsonObject.EMPTY;
    }

    /** Returns whether the field has a value, even an empty one. */
    public boolean isSet() {
        return value != null;
    }

    /** Returns whether the field is absent, an empty string, an empty list or an empty object. */
    public boolean isEmpty() {
        return value == null
                || (value instanceof JsonString string && string.value().isEmpty())
                || (value instanceof JsonArray array && array.isEmpty())
                || (value instanceof JsonObject object && object.isEmpty());
    }

    /** Returns whether the client has sent an empty list, in place of which the object can have a default. */
    public boolean isSentEmpty() {
        return sent instanceof JsonArray array && array.isEmpty();
    }

    /** Returns the string; empty if the field is none. */
    public String text() {
        return value instanceof JsonString string ? string.value() : "";
    }

    /** Returns the whole number; 0 if the field is none. */
    public long number() {
        Long number = value instanceof JsonNumber some ? some.toLong() : null;
        return number == null ? 0 : number;
    }

    /** Returns whether the field is {@code true}. */
    public boolean isTrue() {
        return value != null && "true".equals(value.toString());
    }

    /** Returns the value as an object; an empty object if the value is not one. */
    public JsonObject object() {
        return value instanceof JsonObject object ? object : JsonObject.EMPTY;
    }

    /** Returns the list; empty if the field is none. */
    public JsonArray array() {
        return value instanceof JsonArray array ? array : JsonArray.EMPTY;
    }

    /** Adds the error of a missing value. */
    public void required(String detail) {
        errors.required(path, detail);
    }

    /** Adds the error of an invalid value. */
    public void invalid(String detail) {
        errors.invalid(path, shown(), detail);
    }

    /** Adds one error for each of the details. */
    public void invalid(List<String> details) {
        details.forEach(this::invalid);
    }

    /** Adds the error of a field that must not be set or changed. */
    public void forbidden(String detail) {
        errors.forbidden(path, detail);
    }

    /** Adds the error of a duplicate value. */
    public void duplicate() {
        errors.duplicate(path, value == null ? JsonNull.NULL : value);
    }

    /** Adds the error of a value that is not supported. */
    public void notSupported(List<String> supported) {
        errors.notSupported(path, value == null ? new JsonString("") : value, supported);
    }

    /** Adds an error if the field is absent or empty; returns whether it has a value. */
    public boolean require(String detail) {
        if (isEmpty()) {
            required(detail);
        }
        return !isEmpty();
    }

    /** Adds an error if the field is absent or empty; returns whether it has a value. */
    public boolean require() {
        return require("");
    }

    /** Adds an error if the number is negative; returns this cursor. */
    public FieldCursor nonNegative() {
        errors.nonNegative(path, value);
        return this;
    }

    /** Adds an error unless the number is positive. */
    public void positive() {
        if (value != null && number() <= 0) {
            invalid("must be greater than zero");
        }
    }

    /** Adds an error unless the number is within the bounds. */
    public void between(long least, long most) {
        if (value != null && (number() < least || number() > most)) {
            invalid("must be between " + least + " and " + most + ", inclusive");
        }
    }

    /** Adds an error unless the list, the map or the string is absent or empty. */
    public void mustBeEmpty(String detail) {
        if (!isEmpty()) {
            forbidden(detail);
        }
    }

    /** Adds an error if the field is present. */
    public void mustBeAbsent(String detail) {
        if (isSet()) {
            forbidden(detail);
        }
    }

    /** Adds an error unless the string, or the empty string of an absent field, is supported. */
    public void oneOf(List<String> supported) {
        if (!supported.contains(text())) {
            notSupported(supported);
        }
    }

    /** Adds an error if the string is present and not supported. */
    public void oneOfIfSet(List<String> supported) {
        if (value != null) {
            oneOf(supported);
        }
    }

    /** Adds an error if the string is absent or not supported. */
    public void requireOneOf(List<String> supported) {
        if (require()) {
            oneOf(supported);
        }
    }

    /** Adds the errors that a rule finds in the string; an absent field is the empty string. */
    public void follows(Function<String, List<String>> rule) {
        rule.apply(text()).forEach(detail -> errors.invalid(path, text(), detail));
    }

    /** Adds the errors that a rule finds in the string, if it is not empty. */
    public void followsIfSet(Function<String, List<String>> rule) {
        if (!text().isEmpty()) {
            follows(rule);
        }
    }

    /** Adds an error if a list has more items than this. */
    public void atMost(int items) {
        if (array().size() > items) {
            errors.tooMany(path, array().size(), items);
        }
    }

    /** Adds an error for each element, or for the given member of each element, that occurred before. */
    public void unique(String... member) {
        Set<JsonValue> seen = new HashSet<>();
        for (FieldCursor item : items()) {
            FieldCursor key = item.at(member);
            if (key.value != null && !seen.add(key.value)) {
                key.duplicate();
            }
        }
    }

    /** Applies a check to each element of the list. */
    public void each(Consumer<FieldCursor> check) {
        items().forEach(check);
    }

    /** Applies a check if the field is present. */
    public void ifSet(Consumer<FieldCursor> check) {
        if (value != null) {
            check.accept(this);
        }
    }

    /** Adds an error unless the value equals the old one. */
    public void immutable(FieldCursor old) {
        if (!isSameAs(old)) {
            invalid("field is immutable");
        }
    }

    /** Adds an error that does not show the value, unless the value equals the old one. */
    public void unchanged(FieldCursor old) {
        if (!isSameAs(old)) {
            errors.invalid(path, JsonNull.NULL, "field is immutable");
        }
    }

    /** Returns whether both values are equal. */
    public boolean isSameAs(FieldCursor old) {
        return Objects.equals(value, old.value);
    }

    @Override
    public String toString() {
        return path + "=" + value;
    }
}
