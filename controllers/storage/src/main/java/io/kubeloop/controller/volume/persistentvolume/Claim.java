/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.volume.persistentvolume;

import io.kubeloop.api.ObjectName;
import io.kubeloop.api.core.PersistentVolumeClaim;
import io.kubeloop.api.value.Quantity;
import io.kubeloop.json.tree.JsonObject;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * A PersistentVolumeClaim, with the defaults of absent fields. Immutable.
 *
 * @param object the claim
 * @param content its spec and status
 */
record Claim(PersistentVolumeClaim object, JsonObject content) {

    static final String BIND_COMPLETED = "pv.kubernetes.io/bind-completed";
    static final String BOUND_BY_CONTROLLER = "pv.kubernetes.io/bound-by-controller";
    private static final String SELECTED_NODE = "volume.kubernetes.io/selected-node";
    static final String CLASS_ANNOTATION = "volume.beta.kubernetes.io/storage-class";

    static final String PENDING = "Pending";
    static final String BOUND = "Bound";
    static final String LOST = "Lost";

    static Claim of(PersistentVolumeClaim object) {
        return new Claim(object, JsonObject.of(object.unknownFields()));
    }

    ObjectName name() {
        return object.objectName();
    }

    String uid() {
        return object.metadata().uid();
    }

    Map<String, String> annotations() {
        return object.metadata().annotations();
    }

    String volumeName() {
        return content.string("spec", "volumeName");
    }

    String phase() {
        return content.string("status", "phase");
    }

    /** Returns whether all four writes of a binding are done. */
    boolean isBindCompleted() {
        return annotations().containsKey(BIND_COMPLETED);
    }

    boolean isBoundByController() {
        return annotations().containsKey(BOUND_BY_CONTROLLER);
    }

    /** Returns whether the scheduler has chosen a node for the first pod that uses the claim. */
    boolean hasSelectedNode() {
        return annotations().containsKey(SELECTED_NODE);
    }

    /** Returns whether the claim states its class, even if it is the empty one. */
    boolean hasClass() {
        return annotations().containsKey(CLASS_ANNOTATION)
                || content.object("spec").has("storageClassName");
    }

    String className() {
        return annotations().getOrDefault(CLASS_ANNOTATION, content.string("spec", "storageClassName"));
    }

    Quantity requested() {
        String text = content.string("spec", "resources", "requests", "storage");
        return Quantity.parse(text.isEmpty() ? "0" : text);
    }

    Set<String> accessModes() {
        return new TreeSet<>(content.array("spec", "accessModes").strings().toList());
    }

    String volumeMode() {
        String mode = content.string("spec", "volumeMode");
        return mode.isEmpty() ? "Filesystem" : mode;
    }

    String attributesClass() {
        return content.string("spec", "volumeAttributesClassName");
    }
}
