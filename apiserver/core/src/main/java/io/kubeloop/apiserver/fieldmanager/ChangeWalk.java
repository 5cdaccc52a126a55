/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.fieldmanager;

import io.kubeloop.json.schema.TypeSchema;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonNull;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Compares two states of an object by their type (upstream: {@code typed/compare.go}). A part that is the same instance
 * in both states is not visited. Not thread-safe.
 */
final class ChangeWalk {

    private final SchemaErrors errors;

    ChangeWalk(SchemaErrors errors) {
        this.errors = errors;
    }

    FieldChanges compare(JsonValue old, JsonValue next, TypeSchema type) {
        Part root = new Part();
        compare(root, old, next, type);
        return new FieldChanges(
                FieldSet.ofNodes(root.removed), FieldSet.ofNodes(root.modified), FieldSet.ofNodes(root.added));
    }

    /** The changes at one place of the object: of the value itself, and of the parts below it. */
    private static final class Part {

        final List<FieldSet.Node> removed = new ArrayList<>();
        final List<FieldSet.Node> modified = new ArrayList<>();
        final List<FieldSet.Node> added = new ArrayList<>();
        boolean isRemoved;
        boolean isModified;
        boolean isAdded;

        void add(PathElement element, Part part) {
            add(removed, element, part.isRemoved, part.removed);
            add(modified, element, part.isModified, part.modified);
            add(added, element, part.isAdded, part.added);
        }

        private static void add(
                List<FieldSet.Node> to, PathElement element, boolean isMember, List<FieldSet.Node> below) {
            if (isMember || !below.isEmpty()) {
                to.add(new FieldSet.Node(element, isMember, FieldSet.ofNodes(below)));
            }
        }
    }

    /** At most one of the values is null. */
    private void compare(Part part, @Nullable JsonValue old, @Nullable JsonValue next, TypeSchema declared) {
        if (isSame(old, next)) {
            return;
        }
        TypeSchema oldType = Types.deduce(declared, old);
        TypeSchema nextType = Types.deduce(declared, next);
        boolean isLeaf;
        if (next == null) {
            isLeaf = compareAs(oldType, part, old, null);
        } else {
            // A null has no type of its own, and no members that could be compared.
            if (old != null && old != JsonNull.NULL && !oldType.equals(nextType)) {
                compareAs(oldType, part, old, next);
            }
            isLeaf = compareAs(nextType, part, old, next);
        }
        if (!isLeaf) {
            part.isAdded |= old == null;
            part.isRemoved |= next == null;
        }
    }

    @SuppressWarnings("ReferenceEquality") // unchanged parts are shared between states
    private static boolean isSame(@Nullable JsonValue old, @Nullable JsonValue next) {
        return old == next;
    }

    /** Returns whether the value is one field. */
    private boolean compareAs(TypeSchema type, Part part, @Nullable JsonValue old, @Nullable JsonValue next) {
        if (type instanceof TypeSchema.Scalar scalar) {
            String oldError = ConfigCheck.scalarError(scalar, old);
            String nextError = ConfigCheck.scalarError(scalar, next);
            if (oldError != null && nextError != null) {
                errors.add("lhs: " + oldError);
                errors.add("rhs: " + nextError);
            }
            compareLeaf(part, old, next);
            return true;
        }
        if (Types.isAtomic(type) || (Types.isEmpty(type, old) && Types.isEmpty(type, next))) {
            compareLeaf(part, old, next);
            return true;
        }
        if (type instanceof TypeSchema.ListOf list) {
            compareElements(part, elements(old), elements(next), list);
        } else {
            compareMembers(part, members(old), members(next), type);
        }
        return false;
    }

    private static void compareLeaf(Part part, @Nullable JsonValue old, @Nullable JsonValue next) {
        if (old == null) {
            part.isAdded = true;
        } else if (next == null) {
            part.isRemoved = true;
        } else if (!old.equals(next)) {
            part.isModified = true;
        }
    }

    private static Map<String, JsonValue> members(@Nullable JsonValue value) {
        return value instanceof JsonObject object ? object.members() : Map.of();
    }

    private static JsonArray elements(@Nullable JsonValue value) {
        return value instanceof JsonArray array ? array : JsonArray.EMPTY;
    }

    private void compareMembers(Part part, Map<String, JsonValue> old, Map<String, JsonValue> next, TypeSchema type) {
        for (Map.Entry<String, JsonValue> member : old.entrySet()) {
            compareMember(part, member.getKey(), member.getValue(), next.get(member.getKey()), type);
        }
        for (Map.Entry<String, JsonValue> member : next.entrySet()) {
            if (!old.containsKey(member.getKey())) {
                compareMember(part, member.getKey(), null, member.getValue(), type);
            }
        }
    }

    private void compareMember(
            Part part, String name, @Nullable JsonValue old, @Nullable JsonValue next, TypeSchema type) {
        if (!isSame(old, next)) {
            compareBelow(part, new PathElement.Field(name), old, next, Types.orAny(Types.member(type, name)));
        }
    }

    private void compareBelow(
            Part part, PathElement element, @Nullable JsonValue old, @Nullable JsonValue next, TypeSchema type) {
        Part below = new Part();
        int mark = errors.mark();
        compare(below, old, next, type);
        errors.prefix(mark, element);
        part.add(element, below);
    }

    private void compareElements(Part part, JsonArray old, JsonArray next, TypeSchema.ListOf list) {
        Map<PathElement, List<JsonValue>> oldItems = items(old, list);
        Map<PathElement, List<JsonValue>> nextItems = items(next, list);
        oldItems.forEach((element, items) ->
                compareItems(part, element, items, nextItems.getOrDefault(element, List.of()), list));
        nextItems.forEach((element, items) -> {
            if (!oldItems.containsKey(element)) {
                compareItems(part, element, List.of(), items, list);
            }
        });
    }

    private Map<PathElement, List<JsonValue>> items(JsonArray array, TypeSchema.ListOf list) {
        Map<PathElement, List<JsonValue>> items = new TreeMap<>();
        for (int i = 0; i < array.size(); i++) {
            try {
                items.computeIfAbsent(ListItems.identify(list, array.get(i)), element -> new ArrayList<>(1))
                        .add(array.get(i));
            } catch (ListItems.InvalidItemException e) {
                errors.add("element " + i + ": " + e.getMessage());
            }
        }
        return items;
    }

    /** Elements that occur several times are one field together. */
    private void compareItems(
            Part part, PathElement element, List<JsonValue> old, List<JsonValue> next, TypeSchema.ListOf list) {
        JsonValue oldItem = old.isEmpty() ? null : old.get(0);
        JsonValue nextItem = next.isEmpty() ? null : next.get(0);
        if (old.size() <= 1 && next.size() <= 1) {
            compareBelow(part, element, oldItem, nextItem, list.elements());
            return;
        }
        Part together = new Part();
        if (old.size() > 1 && next.size() > 1) {
            together.isModified = !old.equals(next);
        } else if (old.size() > 1) {
            if (nextItem != null) {
                compareBelow(part, element, null, nextItem, list.elements());
            }
            together.isRemoved = true;
        } else {
            if (oldItem != null) {
                compareBelow(part, element, oldItem, null, list.elements());
            }
            together.isAdded = true;
        }
        part.add(element, together);
    }
}
