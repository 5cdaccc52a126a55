/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.json.patch;

import io.kubeloop.json.tree.JsonObject;

/**
 * Strategic merge patches. They work like merge patches, but lists whose elements have an identity are merged element
 * by element (upstream: apimachinery's {@code util/strategicpatch}). Thread-safe: stateless.
 */
public final class StrategicMergePatch {

    private StrategicMergePatch() {}

    /**
     * Returns the document after the patch, as in Kubernetes 1.20. A value that is new to the document keeps its
     * directives and nulls. A directive to remove elements from an absent set becomes that set. {@link Patches} drops
     * all of these, as later releases do.
     *
     * @throws PatchException if the patch is invalid or does not fit this document
     */
    public static JsonObject apply(MergeSchema schema, JsonObject document, JsonObject patch) {
        return new StrategicMerger(false).merge(document, patch, schema);
    }

    /**
     * Returns the patch that changes {@code from} to {@code to}; empty if they are equal.
     *
     * @throws PatchException if a list that is merged by key has an element without it
     */
    public static JsonObject create(MergeSchema schema, JsonObject from, JsonObject to) {
        return StrategicDiff.between(from, to, schema, false);
    }
}
