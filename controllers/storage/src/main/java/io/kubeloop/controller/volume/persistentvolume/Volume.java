/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.volume.persistentvolume;

import io.kubeloop.api.GenericObject;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.value.Quantity;
import io.kubeloop.json.tree.JsonObject;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * A PersistentVolume, with the defaults of absent fields. Immutable.
 *
 * @param object the volume
 * @param content its spec and status
 */
record Volume(GenericObject object, JsonObject content) {

    static final String PROVISIONED_BY = "pv.kubernetes.io/provisioned-by";

    static final String AVAILABLE = "Available";
    static final String BOUND = "Bound";
    static final String RELEASED = "Released";
    static final String FAILED = "Failed";

    static Volume of(GenericObject object) {
        return new Volume(object, JsonObject.of(object.unknownFields()));
    }

    String name() {
        return object.metadata().name();
    }

    Map<String, String> annotations() {
        return object.metadata().annotations();
    }

    String phase() {
        return content.string("status", "phase");
    }

    /** Returns whether the volume belongs to a claim, or is reserved for one. */
    boolean hasClaim() {
        return content.object("spec").has("claimRef");
    }

    ObjectName claimName() {
        return new ObjectName(
                content.string("spec", "claimRef", "namespace"), content.string("spec", "claimRef", "name"));
    }

    /** Returns the UID of its claim; empty for a claim that has not been bound yet. */
    String claimUid() {
        return content.string("spec", "claimRef", "uid");
    }

    /** Returns whether the volume belongs to this claim, or is reserved for it. */
    boolean isOf(Claim claim) {
        return hasClaim()
                && claimName().equals(claim.name())
                && (claimUid().isEmpty() || claimUid().equals(claim.uid()));
    }

    boolean isBoundByController() {
        return annotations().containsKey(Claim.BOUND_BY_CONTROLLER);
    }

    String className() {
        return annotations().getOrDefault(Claim.CLASS_ANNOTATION, content.string("spec", "storageClassName"));
    }

    Quantity capacity() {
        String text = content.string("spec", "capacity", "storage");
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

    String reclaimPolicy() {
        return content.string("spec", "persistentVolumeReclaimPolicy");
    }
}
