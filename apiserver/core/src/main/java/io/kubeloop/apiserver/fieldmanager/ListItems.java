/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.fieldmanager;

import io.kubeloop.json.gotext.GoText;
import io.kubeloop.json.schema.StructSchema;
import io.kubeloop.json.schema.TypeSchema;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonNull;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonValue;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Identifies the elements of lists that are sets, or that have key fields. Thread-safe: stateless. */
final class ListItems {

    private ListItems() {}

    /** The reason why an element of a list cannot be identified. */
    static final class InvalidItemException extends Exception {

        private static final long serialVersionUID = 1L;

        InvalidItemException(String message) {
            super(message, null, false, false);
        }
    }

    /**
     * Returns the path element of a list element.
     *
     * @throws InvalidItemException if the element has no identity
     */
    static PathElement identify(TypeSchema.ListOf list, JsonValue item) throws InvalidItemException {
        return list.keys().isEmpty() ? ofSet(item) : ofMap(list, item);
    }

    /** Returns the path element of a list element; null if it has no identity. */
    static @Nullable PathElement identity(TypeSchema.ListOf list, JsonValue item) {
        try {
            return identify(list, item);
        } catch (InvalidItemException e) {
            return null; // the caller handles such elements apart
        }
    }

    private static PathElement ofSet(JsonValue item) throws InvalidItemException {
        if (item instanceof JsonObject) {
            throw new InvalidItemException("associative list without keys has an element that's a map type");
        }
        if (item instanceof JsonArray) {
            throw new InvalidItemException("not supported: associative list with lists as elements");
        }
        if (item == JsonNull.NULL) {
            throw new InvalidItemException("associative list without keys has an element that's an explicit null");
        }
        return new PathElement.Element(item);
    }

    private static PathElement ofMap(TypeSchema.ListOf list, JsonValue item) throws InvalidItemException {
        if (item == JsonNull.NULL) {
            throw new InvalidItemException("associative list with keys may not have a null element");
        }
        if (!(item instanceof JsonObject object)) {
            throw new InvalidItemException("associative list with keys may not have non-map elements");
        }
        List<PathElement.KeyField> fields = new ArrayList<>(list.keys().size());
        for (String key : list.keys()) {
            JsonValue value = object.members().get(key);
            if (value == null && list.elements() instanceof StructSchema struct) {
                StructSchema.Field field = struct.field(key);
                value = field == null ? null : field.initial();
            }
            if (value != null) {
                fields.add(new PathElement.KeyField(key, value));
            }
        }
        if (fields.isEmpty()) {
            String keys =
                    String.join(" ", list.keys().stream().map(GoText::quoted).toList());
            throw new InvalidItemException("associative list with keys has an element that omits all key fields ["
                    + keys + "] (and doesn't have default values for any key fields)");
        }
        return new PathElement.Key(fields);
    }
}
