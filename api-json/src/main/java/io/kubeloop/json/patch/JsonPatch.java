package io.kubeloop.json.patch;

import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonNull;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonString;
import io.kubeloop.json.tree.JsonValue;
import io.kubeloop.json.typed.GoText;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A list of operations on a document (RFC 6902).
 *
 * <p>It differs from the RFC where the library of Kubernetes' API server (evanphx/json-patch 4) differs. {@code replace} sets
 * an absent member. {@code copy} of an absent member copies {@code null}. Negative indices count from the end. The document
 * as a whole has no path, and text before the first slash of a path is ignored. Immutable.
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
     * @throws PatchException if an operation fails, or the document grows beyond the limits; no operation is applied then
     */
    public JsonValue apply(JsonValue document) {
        JsonValue result = document;
        PatchGrowth growth = new PatchGrowth(document);
        for (Operation operation : operations) {
            result = apply(result, operation, growth);
            growth.check(result);
        }
        return result;
    }

    /** Returns the patched document with the members of those objects sorted that the operations have visited. */
    JsonValue visited(JsonValue patched) {
        JsonValue result = sorted(patched);
        for (Operation operation : operations) {
            for (String pointer : List.of(operation.path, operation.from)) {
                if (pointer.contains("/")) {
                    result = visited(result, JsonPointer.parse(pointer).tokens(), 0);
                }
            }
        }
        return result;
    }

    private static JsonValue visited(JsonValue value, List<String> path, int depth) {
        if (depth == path.size()) {
            return value;
        }
        String token = path.get(depth);
        if (value instanceof JsonObject object) {
            // Not JsonObject.with, for which objects are equal whatever the order of their members is.
            Map<String, JsonValue> members = new TreeMap<>(object.members());
            members.computeIfPresent(token, (name, child) -> visited(child, path, depth + 1));
            return JsonObject.of(members);
        }
        if (value instanceof JsonArray array && token.matches("\\d{1,6}") && Integer.parseInt(token) < array.size()) {
            List<JsonValue> elements = new ArrayList<>(array.elements());
            elements.set(Integer.parseInt(token), visited(elements.get(Integer.parseInt(token)), path, depth + 1));
            return JsonArray.of(elements);
        }
        return value;
    }

    private static JsonValue sorted(JsonValue value) {
        return value instanceof JsonObject object ? JsonObject.of(new TreeMap<>(object.members())) : value;
    }

    private static JsonValue apply(JsonValue document, Operation operation, PatchGrowth growth) {
        JsonPointer path = JsonPointer.parse(operation.path);
        return switch (operation.op) {
            case "add" -> {
                growth.put(path, operation.value);
                yield add(document, path, operation.value);
            }
            case "remove" -> remove(document, path);
            case "replace" -> {
                growth.put(path, operation.value);
                yield replace(document, path, operation.value);
            }
            case "move" -> {
                JsonPointer from = JsonPointer.parse(operation.from);
                JsonValue moved = orNull(find(document, from));
                growth.move(from, path);
                yield add(remove(document, from), path, moved);
            }
            case "copy" -> {
                JsonPointer from = JsonPointer.parse(operation.from);
                JsonValue copied = orNull(find(document, from));
                growth.copy(from, path, copied);
                yield add(document, path, copied);
            }
            case "test" -> {
                JsonValue found = orNull(find(document, path));
                if (!found.equals(operation.value)) {
                    throw PatchException.unprocessable(
                            "testing value " + path + " failed: expected " + operation.value + ", found " + found);
                }
                yield document;
            }
            default -> throw PatchException.unprocessable("unknown operation \"" + operation.op + "\" at " + path);
        };
    }

    private static JsonValue orNull(@Nullable JsonValue value) {
        return value == null ? JsonNull.NULL : value;
    }

    private static JsonValue add(JsonValue document, JsonPointer path, JsonValue value) {
        return change(document, path, 0, parent -> {
            String last = last(path);
            if (parent instanceof JsonObject object) {
                return object.with(last, value);
            }
            List<JsonValue> elements = new ArrayList<>(((JsonArray) parent).elements());
            elements.add(last.equals("-") ? elements.size() : index(last, elements.size() + 1, path), value);
            return JsonArray.of(elements);
        });
    }

    private static JsonValue remove(JsonValue document, JsonPointer path) {
        return change(document, path, 0, parent -> {
            String last = last(path);
            if (parent instanceof JsonObject object) {
                if (!object.has(last)) {
                    throw PatchException.unprocessable("cannot remove " + path + ": there is no such member");
                }
                return object.without(last);
            }
            List<JsonValue> elements = new ArrayList<>(((JsonArray) parent).elements());
            elements.remove(index(last, elements.size(), path));
            return JsonArray.of(elements);
        });
    }

    private static JsonValue replace(JsonValue document, JsonPointer path, JsonValue value) {
        return change(document, path, 0, parent -> {
            String last = last(path);
            if (parent instanceof JsonObject object) {
                return object.with(last, value);
            }
            List<JsonValue> elements = new ArrayList<>(((JsonArray) parent).elements());
            elements.set(index(last, elements.size(), path), value);
            return JsonArray.of(elements);
        });
    }

    private static String last(JsonPointer path) {
        return path.tokens().get(path.tokens().size() - 1);
    }

    /** Returns the value at the path, or null if its last step is an absent member. */
    private static @Nullable JsonValue find(JsonValue document, JsonPointer path) {
        JsonValue value = document;
        for (int depth = 0; depth < path.tokens().size() - 1; depth++) {
            value = step(value, path, depth);
        }
        return child(value, path, path.tokens().size() - 1);
    }

    /** Rebuilds the document along the path, with the parent of the last step changed. */
    private static JsonValue change(JsonValue value, JsonPointer path, int depth, UnaryOperator<JsonValue> change) {
        if (depth == path.tokens().size() - 1) {
            if (value instanceof JsonObject || value instanceof JsonArray) {
                return change.apply(value);
            }
            throw missing(path);
        }
        JsonValue changed = change(step(value, path, depth), path, depth + 1, change);
        String token = path.tokens().get(depth);
        if (value instanceof JsonObject object) {
            return object.with(token, changed);
        }
        List<JsonValue> elements = new ArrayList<>(((JsonArray) value).elements());
        elements.set(index(token, elements.size(), path), changed);
        return JsonArray.of(elements);
    }

    private static JsonValue step(JsonValue value, JsonPointer path, int depth) {
        JsonValue child = child(value, path, depth);
        if (child == null) {
            throw missing(path);
        }
        return child;
    }

    private static @Nullable JsonValue child(JsonValue value, JsonPointer path, int depth) {
        String token = path.tokens().get(depth);
        if (value instanceof JsonObject object) {
            return object.get(token);
        }
        if (value instanceof JsonArray array) {
            return array.get(index(token, array.size(), path));
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
