package io.kubeloop.json.patch;

import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonValue;
import java.util.Collection;
import java.util.List;

/**
 * What the operations of one JSON patch make of a document: copies of copies double it, moves into what was just added nest it,
 * both without end. Costs nothing worth naming as long as neither happens. Not thread-safe; for one application of a patch.
 */
final class PatchGrowth {

    /** Upstream's limit: that of the body of a request. */
    static final int MAX_COPIED = 3 << 20;

    /** Whoever writes, compares or hashes a document recurses as deep as this; readers refuse what is deeper. */
    static final int MAX_DEPTH = 255;

    /** No place in the document is deeper; it may well be less deep. */
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
