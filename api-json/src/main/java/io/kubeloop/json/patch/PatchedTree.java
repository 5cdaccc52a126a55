/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.json.patch;

import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonNull;
import io.kubeloop.json.tree.JsonNumber;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonValue;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A document under the operations of one JSON patch. An object or a list becomes mutable when an operation changes it
 * for the first time, so a patch copies each of them once, and not once for each operation. Not thread-safe.
 *
 * <p>A node is a {@link JsonValue} that nothing has changed, a {@code Map} of nodes, or a {@code List} of nodes.
 */
final class PatchedTree {

    private Object root;

    PatchedTree(JsonValue document) {
        root = document;
    }

    Object root() {
        return root;
    }

    /** Returns the document with all changes. */
    JsonValue value() {
        return valueOf(root);
    }

    /** Returns a node with all changes. */
    static JsonValue valueOf(Object node) {
        if (node instanceof Map<?, ?> map) {
            Map<String, JsonValue> members = new LinkedHashMap<>();
            map.forEach((name, child) -> members.put((String) name, valueOf(child)));
            return JsonObject.of(members);
        }
        return node instanceof List<?> list
                ? JsonArray.of(list.stream().map(PatchedTree::valueOf).toList())
                : (JsonValue) node;
    }

    /** Returns the nodes in a node. */
    static Collection<?> children(Object node) {
        if (node instanceof Map<?, ?> map) {
            return map.values();
        }
        if (node instanceof List<?> list) {
            return list;
        }
        return node instanceof JsonObject object
                ? object.members().values()
                : node instanceof JsonArray array ? array.elements() : List.of();
    }

    /** Returns whether a node equals a value, and its numbers have the same text, as upstream compares them. */
    static boolean equal(Object node, JsonValue value) {
        if (node instanceof JsonObject object) {
            return equal(object.members(), value);
        }
        if (node instanceof JsonArray array) {
            return equal(array.elements(), value);
        }
        if (node instanceof Map<?, ?> map) {
            return value instanceof JsonObject object
                    && object.members().size() == map.size()
                    && object.members().entrySet().stream().allMatch(member -> {
                        Object child = map.get(member.getKey());
                        return child != null && equal(child, member.getValue());
                    });
        }
        if (node instanceof List<?> list) {
            boolean same = value instanceof JsonArray array && array.size() == list.size();
            for (int i = 0; same && i < list.size(); i++) {
                same = equal(list.get(i), ((JsonArray) value).get(i));
            }
            return same;
        }
        return node.equals(value)
                && (!(value instanceof JsonNumber) || node.toString().equals(value.toString()));
    }

    /** Returns the node at the path, or null in JSON if its last step is an absent member. */
    Object find(JsonPointer path) {
        Object node = root;
        for (int depth = 0; depth < path.tokens().size() - 1; depth++) {
            node = step(node, path, depth);
        }
        Object found = child(node, path, path.tokens().size() - 1);
        return found == null ? JsonNull.NULL : found;
    }

    void add(JsonPointer path, Object node) {
        String last = last(path);
        Object parent = parent(path);
        if (parent instanceof Map<?, ?> map) {
            members(map).put(last, node);
        } else {
            List<Object> list = elements(parent);
            list.add(last.equals("-") ? list.size() : index(last, list.size() + 1, path), node);
        }
    }

    void replace(JsonPointer path, Object node) {
        Object parent = parent(path);
        if (parent instanceof Map<?, ?> map) {
            members(map).put(last(path), node);
        } else {
            List<Object> list = elements(parent);
            list.set(index(last(path), list.size(), path), node);
        }
    }

    void remove(JsonPointer path) {
        Object parent = parent(path);
        if (parent instanceof Map<?, ?> map) {
            if (members(map).remove(last(path)) == null) {
                throw PatchException.unprocessable("cannot remove " + path + ": there is no such member");
            }
        } else {
            List<Object> list = elements(parent);
            list.remove(index(last(path), list.size(), path));
        }
    }

    /** Returns the mutable parent of the last step. */
    private Object parent(JsonPointer path) {
        root = mutable(root);
        Object node = root;
        for (int depth = 0; depth < path.tokens().size() - 1; depth++) {
            Object child = mutable(step(node, path, depth));
            String token = path.tokens().get(depth);
            if (node instanceof Map<?, ?> map) {
                members(map).put(token, child);
            } else {
                List<Object> list = elements(node);
                list.set(index(token, list.size(), path), child);
            }
            node = child;
        }
        if (node instanceof Map<?, ?> || node instanceof List<?>) {
            return node;
        }
        throw missing(path);
    }

    private static Object mutable(Object node) {
        return node instanceof JsonObject object
                ? new LinkedHashMap<String, Object>(object.members())
                : node instanceof JsonArray array ? new ArrayList<Object>(array.elements()) : node;
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> members(Object node) {
        return (Map<String, Object>) node;
    }

    @SuppressWarnings("unchecked")
    private static List<Object> elements(Object node) {
        return (List<Object>) node;
    }

    private static String last(JsonPointer path) {
        return path.tokens().get(path.tokens().size() - 1);
    }

    private static Object step(Object node, JsonPointer path, int depth) {
        Object child = child(node, path, depth);
        if (child == null) {
            throw missing(path);
        }
        return child;
    }

    private static @Nullable Object child(Object node, JsonPointer path, int depth) {
        String token = path.tokens().get(depth);
        if (node instanceof JsonObject object) {
            return object.get(token);
        }
        if (node instanceof Map<?, ?> map) {
            return map.get(token);
        }
        if (node instanceof JsonArray array) {
            return array.get(index(token, array.size(), path));
        }
        if (node instanceof List<?> list) {
            return list.get(index(token, list.size(), path));
        }
        throw missing(path);
    }

    private static PatchException missing(JsonPointer path) {
        return PatchException.unprocessable("the document has nothing at the path " + path);
    }

    private static int index(String token, int size, JsonPointer path) {
        int index;
        try {
            index = Integer.parseInt(token);
        } catch (NumberFormatException e) {
            throw PatchException.unprocessable("\"" + token + "\" in the path " + path + " is not an index of a list");
        }
        int fromStart = index < 0 ? index + size : index;
        if (fromStart < 0 || fromStart >= size) {
            throw PatchException.unprocessable("the index " + index + " in the path " + path + " is out of range");
        }
        return fromStart;
    }
}
