package io.kubeloop.json.patch;

import io.kubeloop.json.tree.JsonObject;

/**
 * Strategic merge patches: like merge patches, but lists whose elements have an identity are merged element by element
 * (upstream: apimachinery's {@code util/strategicpatch}).
 */
public final class StrategicMergePatch {

    private StrategicMergePatch() {}

    /**
     * Returns the document with the patch merged in, as Kubernetes 1.20 does it: directives and nulls inside values that the
     * document does not have yet come in as they are, and so does what should leave a set that is not there. {@link Patches}
     * leaves them out, as later releases do.
     *
     * @throws PatchException if the patch makes no sense for this document
     */
    public static JsonObject apply(MergeSchema schema, JsonObject document, JsonObject patch) {
        return new StrategicMerger(false).merge(document, patch, schema);
    }

    /**
     * Returns the patch that makes {@code to} out of {@code from}; empty if there is nothing to do.
     *
     * @throws PatchException if a list that is merged by key has an element without it
     */
    public static JsonObject create(MergeSchema schema, JsonObject from, JsonObject to) {
        return StrategicDiff.between(from, to, schema, false);
    }
}
