/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.json.tree;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A list of values. Immutable. */
public final class JsonArray implements JsonValue, Iterable<JsonValue> {

    /** The array without elements. */
    public static final JsonArray EMPTY = new JsonArray(List.of());

    private final List<JsonValue> elements;

    private JsonArray(List<JsonValue> elements) {
        this.elements = elements;
    }

    /** Wraps the list without a copy; the caller must not change it afterwards. */
    static JsonArray wrap(List<JsonValue> elements) {
        return elements.isEmpty() ? EMPTY : new JsonArray(Collections.unmodifiableList(elements));
    }

    /** Returns an array of these elements. Copies. */
    public static JsonArray of(Collection<? extends JsonValue> elements) {
        return wrap(new ArrayList<>(elements));
    }

    /** Returns an array of these elements. */
    public static JsonArray of(JsonValue... elements) {
        return of(Arrays.asList(elements));
    }

    /** Returns an array of strings. */
    public static JsonArray ofStrings(Collection<String> strings) {
        return of(strings.stream().map(JsonString::new).toList());
    }

    /** Returns the elements; unmodifiable. */
    public List<JsonValue> elements() {
        return elements;
    }

    /** Returns the number of elements. */
    public int size() {
        return elements.size();
    }

    /** Returns whether the array has no elements. */
    public boolean isEmpty() {
        return elements.isEmpty();
    }

    /** Returns one element. */
    public JsonValue get(int index) {
        return elements.get(index);
    }

    /** Returns the elements that are objects, in order. */
    public Stream<JsonObject> objects() {
        return elements.stream().filter(JsonObject.class::isInstance).map(JsonObject.class::cast);
    }

    /** Returns the elements that are strings, in order. */
    public Stream<String> strings() {
        return elements.stream().filter(JsonString.class::isInstance).map(element -> ((JsonString) element).value());
    }

    @Override
    public Iterator<JsonValue> iterator() {
        return elements.iterator();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof JsonArray that && elements.equals(that.elements);
    }

    @Override
    public int hashCode() {
        return elements.hashCode();
    }

    @Override
    public String toString() {
        return JsonWriter.write(this);
    }
}
