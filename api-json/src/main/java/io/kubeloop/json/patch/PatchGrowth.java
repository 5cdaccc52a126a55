package io.kubeloop.json.patch;

import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonValue;
import java.util.Collection;
import java.util.List;

/**
 * Limits the growth of a document under the operations of one JSON patch. Copies of copies double a document, and moves into
 * added values nest it deeper, both without bound. The checks are cheap for usual patches. Not thread-safe; for one
 * application of a patch.
 */
final class PatchGrowth {

    /** Upstream's limit, which is the limit of a request body. */
    static final int MAX_COPIED = 3 << 20;

    /** The parser accepts no deeper nesting, because writing, comparing and hashing a document recurse. */
    static final int MAX_DEPTH = 255;

    /** An upper bound of the depth of the document. */
    private int depth;

    private long copied;

    PatchGrowth(JsonValue document) {
        depth = height(document);
    }

    void put(JsonPointer path, JsonValue value) {
        depth = Math.max(depth, path.tokens().size() + height(value));
    }

    void move(JsonPointer from, JsonPointer path) {
        depth = Math.max(depth, path.tokens().size() + depth - from.tokens().size());
    }

    void copy(JsonPointer from, JsonPointer path, JsonValue value) {
        move(from, path);
        copied += value.toString().length();
        if (copied > MAX_COPIED) {
            throw PatchException.unprocessable(
                    "the copies that the patch makes have more than " + MAX_COPIED + " characters");
        }
    }

    /**
     * Checks the document after an operation.
     *
     * @throws PatchException if it is nested too deep
     */
    void check(JsonValue document) {
        if (depth <= MAX_DEPTH) {
            return;
        }
        depth = height(document);
        if (depth > MAX_DEPTH) {
            throw PatchException.unprocessable("the patched document is nested deeper than " + MAX_DEPTH + " levels");
        }
    }

    private static int height(JsonValue value) {
        Collection<JsonValue> children = value instanceof JsonObject object
                ? object.members().values()
                : value instanceof JsonArray array ? array.elements() : List.of();
        int highest = 0;
        for (JsonValue child : children) {
            highest = Math.max(highest, height(child));
        }
        return value instanceof JsonObject || value instanceof JsonArray ? highest + 1 : 0;
    }
}
