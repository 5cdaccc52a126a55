/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.garbagecollector;

import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.OwnerReference;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An object in {@link OwnerGraph}. A virtual node represents an owner that only owner references of dependents mention.
 * The graph's lock guards every field.
 */
final class ObjectNode {

    static final String FOREGROUND = "foregroundDeletion";
    static final String ORPHAN = "orphan";

    ObjectCoordinates coordinates;
    boolean isVirtual;
    boolean isDeleting;

    /** Whether the object is being deleted in the foreground. */
    boolean awaitsDependents;

    List<OwnerReference> owners = List.of();
    final Set<ObjectNode> dependents = new LinkedHashSet<>(2);

    ObjectNode(ObjectCoordinates coordinates, boolean isVirtual) {
        this.coordinates = coordinates;
        this.isVirtual = isVirtual;
    }

    String uid() {
        return coordinates.uid();
    }

    String namespace() {
        return coordinates.namespace();
    }

    /** Updates the deletion state from the object. A deletion cannot be taken back. */
    void observe(ObjectMeta metadata) {
        isDeleting |= metadata.isDeleting();
        awaitsDependents = isDeletingWith(metadata, FOREGROUND);
    }

    static boolean isDeletingWith(@Nullable ObjectMeta metadata, String finalizer) {
        return metadata != null
                && metadata.isDeleting()
                && metadata.finalizers().contains(finalizer);
    }

    boolean blocks(String ownerUid) {
        return owners.stream().anyMatch(owner -> owner.uid().equals(ownerUid) && isBlocking(owner));
    }

    static boolean isBlocking(OwnerReference owner) {
        return Boolean.TRUE.equals(owner.blockOwnerDeletion());
    }

    /**
     * The dependents of an owner that claim certain coordinates for it, and those that claim others. One can do both.
     */
    record Claims(List<ObjectNode> matching, List<ObjectNode> others) {}

    /** Divides the dependents by the coordinates that they claim for this object. O(dependents). */
    Claims claims(ObjectCoordinates claimed) {
        Claims claims = new Claims(new ArrayList<>(), new ArrayList<>());
        for (ObjectNode dependent : dependents) {
            boolean isOutOfReach =
                    claimed.isNamespaced() && !claimed.namespace().equals(dependent.namespace());
            boolean matches = false;
            boolean differs = isOutOfReach;
            for (OwnerReference reference : dependent.owners) {
                if (!isOutOfReach && reference.uid().equals(claimed.uid())) {
                    matches |= claimed.isMeantBy(reference);
                    differs |= !claimed.isMeantBy(reference);
                }
            }
            if (matches) {
                claims.matching().add(dependent);
            }
            if (differs) {
                claims.others().add(dependent);
            }
        }
        return claims;
    }
}
