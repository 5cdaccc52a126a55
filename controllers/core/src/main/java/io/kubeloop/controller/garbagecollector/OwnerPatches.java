/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.garbagecollector;

import io.kubeloop.api.OwnerReference;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonNull;
import io.kubeloop.json.tree.JsonObject;
import java.util.List;

/** The bodies of patches (upstream: {@code patch.go}). Stateless. */
final class OwnerPatches {

    private OwnerPatches() {}

    /**
     * Returns a merge patch that sets the owner references of an object in this version.
     *
     * @param unblocks whether the references become not blocking
     */
    static String owners(String resourceVersion, List<OwnerReference> owners, boolean unblocks) {
        return metadata(resourceVersion, "ownerReferences", references(owners, unblocks));
    }

    /** Returns a merge patch that sets the finalizers of an object in this version. */
    static String finalizers(String resourceVersion, List<String> finalizers) {
        return metadata(resourceVersion, "finalizers", JsonArray.ofStrings(finalizers));
    }

    private static String metadata(String resourceVersion, String member, JsonArray content) {
        JsonObject.Builder metadata = JsonObject.builder().put("resourceVersion", resourceVersion);
        // An empty list would stay in a custom resource.
        return JsonObject.of(
                        "metadata",
                        (content.isEmpty() ? metadata.put(member, JsonNull.NULL) : metadata.put(member, content))
                                .build())
                .toString();
    }

    private static JsonArray references(List<OwnerReference> owners, boolean unblocks) {
        return JsonArray.of(
                owners.stream().map(owner -> reference(owner, unblocks)).toList());
    }

    private static JsonObject reference(OwnerReference owner, boolean unblocks) {
        JsonObject.Builder reference = JsonObject.builder()
                .put("apiVersion", owner.apiVersion())
                .put("kind", owner.kind())
                .put("name", owner.name())
                .put("uid", owner.uid());
        Boolean controller = owner.controller();
        if (controller != null) {
            reference.put("controller", controller.booleanValue());
        }
        Boolean blocks = owner.blockOwnerDeletion();
        if (blocks != null) {
            reference.put("blockOwnerDeletion", blocks && !unblocks);
        }
        return reference.build();
    }
}
