/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.customresources.objects;

import io.kubeloop.apiserver.customresources.schema.Paths;
import io.kubeloop.apiserver.customresources.schema.SchemaProps;
import io.kubeloop.apiserver.fielderrors.FieldErrors;
import io.kubeloop.json.gotext.GoText;
import io.kubeloop.json.gotext.NumberText;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonNull;
import io.kubeloop.json.tree.JsonNumber;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonValue;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Checks that sets have no duplicates and that the keys of list-maps are unique. Static functions only. */
public final class ListTypes {

    private ListTypes() {}

    /** Returns the errors of the lists in an object. */
    public static FieldErrors check(SchemaProps schema, JsonObject object) {
        FieldErrors problems = new FieldErrors();
        check("", schema, object, problems);
        return problems;
    }

    private static void check(String path, SchemaProps schema, JsonValue value, FieldErrors problems) {
        if (value instanceof JsonArray array) {
            if ("set".equals(schema.listType())) {
                duplicates(path, array.elements(), array.elements(), problems);
            } else if ("map".equals(schema.listType())) {
                keys(path, schema, array, problems);
            }
            SchemaProps items = schema.items();
            if (items != null) {
                for (int i = 0; i < array.size(); i++) {
                    check(Paths.index(path, i), items, array.get(i), problems);
                }
            }
        } else if (value instanceof JsonObject object) {
            object.members().forEach((name, member) -> {
                SchemaProps own = schema.member(name);
                if (own != null) {
                    boolean property = schema.properties().containsKey(name);
                    check(property ? Paths.child(path, name) : Paths.key(path, name), own, member, problems);
                }
            });
        }
    }

    /** Adds an error, which shows a key, for the second occurrence of each value. */
    private static void duplicates(
            String path, List<JsonValue> values, List<? extends JsonValue> keys, FieldErrors problems) {
        Map<Object, Integer> seen = new HashMap<>();
        for (int i = 0; i < values.size(); i++) {
            if (seen.merge(identity(values.get(i)), 1, Integer::sum) == 2) {
                problems.duplicate(Paths.index(path, i), GoText.untyped(keys.get(i)));
            }
        }
    }

    /**
     * Returns what Go compares: an {@code int64} never equals a {@code float64}, lists and objects are compared by
     * their text.
     */
    private static Object identity(JsonValue value) {
        if (value instanceof JsonNumber number) {
            return NumberText.isInteger(number)
                    ? (Object) NumberText.toLong(number)
                    : Double.valueOf(NumberText.toDouble(number) + 0.0); // makes -0.0 positive
        }
        return value instanceof JsonArray || value instanceof JsonObject
                ? GoText.sorted(value).toString()
                : value;
    }

    private static void keys(String path, SchemaProps schema, JsonArray array, FieldErrors problems) {
        List<JsonObject> keys = new ArrayList<>(array.size());
        for (int i = 0; i < array.size(); i++) {
            JsonValue element = array.get(i);
            if (element != JsonNull.NULL && !(element instanceof JsonObject)) {
                problems.invalid(
                        Paths.index(path, i),
                        GoText.untyped(element),
                        "must be an object for an array of list-type map");
                return;
            }
            keys.add(key(schema, element));
        }
        // A single member is compared as the elements of a set are, several members by their text.
        boolean single = schema.listMapKeys().size() == 1;
        List<JsonValue> compared = new ArrayList<>(keys.size());
        keys.forEach(key -> compared.add(
                single && !key.isEmpty() ? key.members().values().iterator().next() : key));
        duplicates(path, compared, keys, problems);
    }

    private static JsonObject key(SchemaProps schema, JsonValue element) {
        JsonObject key = JsonObject.EMPTY;
        for (String name : schema.listMapKeys()) {
            JsonValue part = element instanceof JsonObject object ? object.get(name) : null;
            if (part != null) {
                key = key.with(name, part);
            }
        }
        return key;
    }
}
