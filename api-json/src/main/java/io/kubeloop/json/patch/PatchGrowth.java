/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.json.patch;

import io.kubeloop.json.tree.JsonBoolean;
import io.kubeloop.json.tree.JsonNull;
import io.kubeloop.json.tree.JsonNumber;
import io.kubeloop.json.tree.JsonString;
import io.kubeloop.json.tree.JsonValue;

/**
 * Limits the growth of a document under the operations of one JSON patch. Copies of copies double a document, and moves
 * into added values nest it deeper, both without bound. The checks are cheap for usual patches. Not thread-safe; for
 * one application of a patch.
 */
final class PatchGrowth {

    /** Upstream's limit, which is the limit of a request body. */
    static final int MAX_COPIED = 3 << 20;

    /** The parser accepts no deeper nesting, because writing, comparing and hashing a document recurse. */
    static final int MAX_DEPTH = 255;

    /** Measuring takes a second for about this many values. */
    private static final long MAX_VISITED = 50_000_000;

    /** An upper bound of the depth of the document. */
    private int depth;

    private long copied;

    /** The values that were visited to measure depths. */
    private long visited;

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
    void check(Object document) {
        if (depth <= MAX_DEPTH) {
            return;
        }
        depth = height(document);
        if (depth > MAX_DEPTH) {
            throw PatchException.unprocessable("the patched document is nested deeper than " + MAX_DEPTH + " levels");
        }
    }

    private int height(Object node) {
        if (++visited > MAX_VISITED) {
            throw PatchException.unprocessable("the patch moves too many values");
        }
        int highest = 0;
        for (Object child : PatchedTree.children(node)) {
            highest = Math.max(highest, height(child));
        }
        return node instanceof JsonString
                        || node instanceof JsonNumber
                        || node instanceof JsonBoolean
                        || node == JsonNull.NULL
                ? 0
                : highest + 1;
    }
}
