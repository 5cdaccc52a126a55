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
     * Returns a strategic merge patch that makes these references not blocking.
     *
     * @param uid the UID of the object; the server rejects the patch if another object has its name
     */
    static String unblocking(String uid, List<OwnerReference> blocking) {
        return metadata("uid", uid, "ownerReferences", references(blocking, true));
    }

    /** Returns a merge patch that sets the owner references of an object in this version. */
    static String owners(String resourceVersion, List<OwnerReference> owners, boolean unblocks) {
        return metadata("resourceVersion", resourceVersion, "ownerReferences", references(owners, unblocks));
    }

    /** Returns a merge patch that sets the finalizers of an object in this version. */
    static String finalizers(String resourceVersion, List<String> finalizers) {
        return metadata("resourceVersion", resourceVersion, "finalizers", JsonArray.ofStrings(finalizers));
    }

    private static String metadata(String condition, String value, String member, JsonArray content) {
        JsonObject.Builder metadata = JsonObject.builder().put(condition, value);
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
        if (unblocks) {
            reference.put("blockOwnerDeletion", false);
        } else if (blocks != null) {
            reference.put("blockOwnerDeletion", blocks.booleanValue());
        }
        return reference.build();
    }
}
