/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.cel;

import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonObject;
import java.util.AbstractList;
import java.util.List;
import java.util.RandomAccess;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * A list of JSON as a list of CEL (upstream: {@code unstructuredList}), or the sum of such a list and another one.
 * Elements are converted when they are read. Immutable.
 */
final class ListView extends AbstractList<Object> implements RandomAccess {

    private final IntFunction<Object> elements;
    private final int size;
    private final String type;
    private final List<String> keys;

    private ListView(IntFunction<Object> elements, int size, String type, List<String> keys) {
        this.elements = elements;
        this.size = size;
        this.type = type;
        this.keys = keys;
    }

    /**
     * Returns a view.
     *
     * @param schema the schema of the list; null for plain JSON
     */
    static ListView of(JsonArray array, @Nullable JsonObject schema) {
        JsonObject items = schema == null || !schema.has("items") ? null : schema.object("items");
        return new ListView(
                index -> JsonValues.of(array.get(index), items),
                array.size(),
                schema == null ? "" : schema.string("x-kubernetes-list-type"),
                schema == null
                        ? List.of()
                        : schema.array("x-kubernetes-list-map-keys").strings().toList());
    }

    /** Returns a list of the same type with other elements. */
    ListView with(List<Object> others) {
        return new ListView(others::get, others.size(), type, keys);
    }

    /** Returns whether the order of the elements does not count. */
    boolean isSet() {
        return type.equals("set");
    }

    /** Returns whether the elements are identified by {@link #keys}. */
    boolean isMap() {
        return type.equals("map");
    }

    /** Returns the properties that identify an element of a list of type {@code map}. */
    List<String> keys() {
        return keys;
    }

    @Override
    public Object get(int index) {
        return elements.apply(index);
    }

    @Override
    public int size() {
        return size;
    }

    @Override
    public boolean contains(@Nullable Object value) {
        return value != null && stream().anyMatch(element -> ValueOperators.areEqual(element, value));
    }
}
