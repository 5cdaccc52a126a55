/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.json.patch;

import io.kubeloop.json.gotext.GoText;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonNull;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonString;
import io.kubeloop.json.tree.JsonValue;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A list of operations on a document (RFC 6902).
 *
 * <p>It differs from the RFC where the library of Kubernetes' API server (evanphx/json-patch 4) differs. {@code
 * replace} sets an absent member. {@code copy} of an absent member copies {@code null}. Negative indices count from the
 * end. The document as a whole has no path, and text before the first slash of a path is ignored. Immutable.
 *
 * <p>The API server's limits apply: a patch has at most 10,000 operations, and its copies have at most three million
 * characters in all. The patched document must not be nested deeper than the parser accepts.
 */
public final class JsonPatch {

    private static final int MAX_OPERATIONS = 10_000;

    private final List<Operation> operations;

    private JsonPatch(List<Operation> operations) {
        this.operations = operations;
    }

    /** Returns the name of a member as one step of a path: escaped, without a slash before it. */
    public static String step(String name) {
        return name.replace("~", "~0").replace("/", "~1");
    }

    private record Operation(String op, String path, String from, JsonValue value) {}

    /**
     * Reads a patch.
     *
     * @throws PatchException if it is not a list of operations, or has too many
     */
    public static JsonPatch of(JsonValue patch) {
        if (!(patch instanceof JsonArray list)) {
            throw PatchException.malformed(
                    "json: cannot unmarshal " + GoText.jsonType(patch) + " into Go value of type jsonpatch.Patch");
        }
        if (list.size() > MAX_OPERATIONS) {
            throw PatchException.tooLarge("Request entity too large: The allowed maximum operations in a JSON patch is "
                    + MAX_OPERATIONS + ", got " + list.size());
        }
        List<Operation> operations = new ArrayList<>();
        for (JsonValue element : list) {
            if (!(element instanceof JsonObject operation)) {
                throw PatchException.malformed("json: cannot unmarshal " + GoText.jsonType(element)
                        + " into Go value of type jsonpatch.Operation");
            }
            JsonValue value = operation.get("value");
            operations.add(new Operation(
                    operation.string("op"),
                    required(operation, "path"),
                    operation.string("from"),
                    value == null ? JsonNull.NULL : value));
        }
        return new JsonPatch(List.copyOf(operations));
    }

    private static String required(JsonObject operation, String member) {
        if (operation.get(member) instanceof JsonString string) {
            return string.value();
        }
        throw PatchException.unprocessable("operation " + operation + " of a JSON patch has no " + member);
    }

    /**
     * Returns the document after all operations.
     *
     * @throws PatchException if an operation fails, or the document grows beyond the limits; no operation is applied
     *     then
     */
    public JsonValue apply(JsonValue document) {
        PatchedTree tree = new PatchedTree(document);
        PatchGrowth growth = new PatchGrowth(document);
        for (Operation operation : operations) {
            apply(tree, operation, growth);
            growth.check(tree.root());
        }
        return tree.value();
    }

    /** Returns the patched document with the members of those objects sorted that the operations have visited. */
    public JsonValue visited(JsonValue patched) {
        Visits visits = new Visits(new HashMap<>());
        for (Operation operation : operations) {
            for (String pointer : List.of(operation.path, operation.from)) {
                if (pointer.contains("/")) {
                    visits.add(JsonPointer.parse(pointer).tokens());
                }
            }
        }
        return visits.sorted(sorted(patched));
    }

    /** The steps of the operations from one place of the document, so each object on a way is sorted once. */
    private record Visits(Map<String, Visits> next) {

        void add(List<String> tokens) {
            Visits at = this;
            for (String token : tokens) {
                at = at.next.computeIfAbsent(token, step -> new Visits(new HashMap<>()));
            }
        }

        JsonValue sorted(JsonValue value) {
            if (next.isEmpty()) {
                return value;
            }
            if (value instanceof JsonObject object) {
                // Not JsonObject.with, for which objects are equal whatever the order of their members is.
                Map<String, JsonValue> members = new TreeMap<>(object.members());
                next.forEach((token, visits) -> members.computeIfPresent(token, (name, child) -> visits.sorted(child)));
                return JsonObject.of(members);
            }
            if (value instanceof JsonArray array) {
                List<JsonValue> elements = new ArrayList<>(array.elements());
                next.forEach((token, visits) -> {
                    int index = index(token);
                    if (index >= 0 && index < elements.size()) {
                        elements.set(index, visits.sorted(elements.get(index)));
                    }
                });
                return JsonArray.of(elements);
            }
            return value;
        }

        private static int index(String token) {
            boolean isIndex =
                    !token.isEmpty() && token.length() <= 6 && token.chars().allMatch(c -> c >= '0' && c <= '9');
            return isIndex ? Integer.parseInt(token) : -1;
        }
    }

    private static JsonValue sorted(JsonValue value) {
        return value instanceof JsonObject object ? JsonObject.of(new TreeMap<>(object.members())) : value;
    }

    private static void apply(PatchedTree tree, Operation operation, PatchGrowth growth) {
        JsonPointer path = JsonPointer.parse(operation.path);
        switch (operation.op) {
            case "add" -> {
                growth.put(path, operation.value);
                tree.add(path, operation.value);
            }
            case "remove" -> tree.remove(path);
            case "replace" -> {
                growth.put(path, operation.value);
                tree.replace(path, operation.value);
            }
            case "move" -> {
                JsonPointer from = JsonPointer.parse(operation.from);
                Object moved = tree.find(from);
                growth.move(from, path);
                tree.remove(from);
                tree.add(path, moved);
            }
            case "copy" -> {
                JsonPointer from = JsonPointer.parse(operation.from);
                JsonValue copied = PatchedTree.valueOf(tree.find(from));
                growth.copy(from, path, copied);
                tree.add(path, copied);
            }
            case "test" -> {
                Object found = tree.find(path);
                if (!PatchedTree.equal(found, operation.value)) {
                    throw PatchException.unprocessable("testing value " + path + " failed: expected " + operation.value
                            + ", found " + PatchedTree.valueOf(found));
                }
            }
            default -> throw PatchException.unprocessable("unknown operation \"" + operation.op + "\" at " + path);
        }
    }
}
