/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.fieldmanager;

import io.kubeloop.json.schema.TypeSchema;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonNull;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonValue;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Finds the fields that a value sets (upstream: {@code typed/tofieldset.go}). Members are the scalars, the atomic
 * values, the elements of lists, the keys of maps and the empty objects. Thread-safe: stateless.
 */
final class Fields {

    private Fields() {}

    /** Returns the fields of an object. O(n log n). */
    static FieldSet of(JsonValue value, TypeSchema type) {
        return node(null, value, type, false).below();
    }

    /** Returns the node of a value; without element for the root. */
    private static Part node(
            @Nullable PathElement element, JsonValue value, TypeSchema declared, boolean memberAnyway) {
        TypeSchema type = Types.deduce(declared, value);
        if (Types.isScalar(type) || Types.isAtomic(type)) {
            return new Part(element, true, FieldSet.EMPTY);
        }
        FieldSet below = FieldSet.EMPTY;
        if (type instanceof TypeSchema.ListOf list) {
            below = value instanceof JsonArray array ? elements(array, list) : FieldSet.EMPTY;
        } else if (value instanceof JsonObject object) {
            below = members(object, type);
        }
        return new Part(element, memberAnyway, below);
    }

    /**
     * The fields of a part of the value.
     *
     * @param element the path element of the part; null for the root
     * @param isMember whether the part itself is a member
     * @param below the members below it
     */
    private record Part(@Nullable PathElement element, boolean isMember, FieldSet below) {}

    private static void add(List<FieldSet.Node> nodes, Part part) {
        if (part.element() != null) {
            nodes.add(new FieldSet.Node(part.element(), part.isMember(), part.below()));
        }
    }

    private static FieldSet members(JsonObject object, TypeSchema type) {
        List<FieldSet.Node> nodes = new ArrayList<>(object.members().size());
        for (Map.Entry<String, JsonValue> member : object.members().entrySet()) {
            String name = member.getKey();
            JsonValue value = member.getValue();
            boolean memberAnyway =
                    value == JsonNull.NULL || value.equals(JsonObject.EMPTY) || !Types.declares(type, name);
            add(nodes, node(new PathElement.Field(name), value, Types.orAny(Types.member(type, name)), memberAnyway));
        }
        return FieldSet.ofNodes(nodes);
    }

    /** Each element of the list is a member of the set. An element that occurs twice has no members below it. */
    private static FieldSet elements(JsonArray array, TypeSchema.ListOf list) {
        Map<Integer, PathElement> identities = new HashMap<>();
        Set<PathElement> seen = new TreeSet<>();
        Set<PathElement> duplicates = new TreeSet<>();
        for (int i = 0; i < array.size(); i++) {
            PathElement element = ListItems.identity(list, array.get(i));
            if (element != null) {
                identities.put(i, element);
                if (!seen.add(element)) {
                    duplicates.add(element);
                }
            }
        }
        List<FieldSet.Node> nodes = new ArrayList<>(array.size());
        identities.forEach((index, element) -> {
            if (duplicates.contains(element)) {
                nodes.add(new FieldSet.Node(element, true, FieldSet.EMPTY));
            } else {
                add(nodes, node(element, array.get(index), list.elements(), true));
            }
        });
        return FieldSet.ofNodes(nodes);
    }
}
