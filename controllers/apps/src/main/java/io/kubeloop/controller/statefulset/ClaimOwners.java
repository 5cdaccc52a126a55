/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.statefulset;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectMetaBuilder;
import io.kubeloop.api.OwnerReference;
import io.kubeloop.api.ResourceType;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.apps.ClaimRetentionPolicy;
import io.kubeloop.api.apps.StatefulSet;
import io.kubeloop.api.core.PersistentVolumeClaim;
import io.kubeloop.api.core.Pod;
import io.kubeloop.controller.ControllerRefs;
import java.util.ArrayList;
import java.util.List;

/**
 * The owners of a claim, through which the garbage collector deletes it according to the retention policy (upstream:
 * {@code isClaimOwnerUpToDate}).
 *
 * <table>
 *   <caption>Owners by policy</caption>
 *   <tr><th>whenScaled</th><th>whenDeleted</th><th>owner</th></tr>
 *   <tr><td>Retain</td><td>Retain</td><td>none</td></tr>
 *   <tr><td>Retain</td><td>Delete</td><td>the set</td></tr>
 *   <tr><td>Delete</td><td>Retain</td><td>the pod, once the set does not want it</td></tr>
 *   <tr><td>Delete</td><td>Delete</td><td>the set; the pod, once the set does not want it</td></tr>
 * </table>
 *
 * @param claim the claim of the pod
 * @param set the set of the pod
 * @param pod the pod; one that is yet to be created has no UID
 */
record ClaimOwners(PersistentVolumeClaim claim, StatefulSet set, Pod pod) {

    private static final ResourceType<StatefulSet> SETS = ResourceTypes.STATEFUL_SETS;
    private static final ResourceType<Pod> PODS = ResourceTypes.PODS;

    /**
     * Returns whether the owners are those of the policy. A claim of an earlier set or pod of the name stays as it is,
     * and one that another controller manages gets no second one.
     */
    boolean areUpToDate() {
        if (isStale(SETS, set) || isStale(PODS, pod)) {
            return true;
        }
        if (hasOtherController()) {
            return !hasOwner(set) && !hasOwner(pod);
        }
        return !hasOwnerWithoutControl() && hasOwner(set) == wantsSet() && hasOwner(pod) == wantsPod();
    }

    /** Returns whether the claim belongs to an earlier pod of the name, with which it will go. */
    boolean areOfEarlierPod() {
        return isStale(PODS, pod);
    }

    /**
     * Returns whether another object than set and pod controls the claim. It does not matter if claims are retained.
     */
    boolean hasOtherController() {
        if (!deletesScaled(set) && !deletesDeleted(set)) {
            return false;
        }
        for (OwnerReference owner : references()) {
            if (refersTo(owner, SETS, set)) {
                if (!owner.uid().equals(set.metadata().uid())) {
                    return true;
                }
            } else if (refersTo(owner, PODS, pod)) {
                if (!owner.uid().equals(pod.metadata().uid())) {
                    return true;
                }
            } else if (owner.isController()) {
                return true;
            }
        }
        return false;
    }

    /** Returns the claim with the owners of the policy. */
    PersistentVolumeClaim updated() {
        List<OwnerReference> owners = new ArrayList<>();
        for (OwnerReference owner : references()) {
            if (!refersTo(owner, SETS, set) && !refersTo(owner, PODS, pod)) {
                owners.add(owner);
            }
        }
        if (!hasOtherController()) {
            if (wantsSet()) {
                add(owners, SETS, set);
            }
            if (wantsPod()) {
                add(owners, PODS, pod);
            }
        }
        return claim.withMetadata(ObjectMetaBuilder.builder(claim.metadata())
                .ownerReferences(owners)
                .build());
    }

    private static void add(List<OwnerReference> owners, ResourceType<?> type, KubeObject owner) {
        if (owners.stream()
                .noneMatch(other -> other.uid().equals(owner.metadata().uid()))) {
            owners.add(ControllerRefs.newControllerRef(type, owner));
        }
    }

    private boolean wantsSet() {
        return deletesDeleted(set) && !(deletesScaled(set) && isScaledDown());
    }

    private boolean wantsPod() {
        return deletesScaled(set) && isScaledDown();
    }

    private boolean isScaledDown() {
        return !Ordinals.isWanted(set, Ordinals.of(pod.metadata().name()));
    }

    /** Returns whether the claims of removed pods are deleted. */
    static boolean deletesScaled(StatefulSet set) {
        ClaimRetentionPolicy policy = set.spec().persistentVolumeClaimRetentionPolicy();
        return policy != null && policy.whenScaled().equals(ClaimRetentionPolicy.DELETE);
    }

    private static boolean deletesDeleted(StatefulSet set) {
        ClaimRetentionPolicy policy = set.spec().persistentVolumeClaimRetentionPolicy();
        return policy != null && policy.whenDeleted().equals(ClaimRetentionPolicy.DELETE);
    }

    private List<OwnerReference> references() {
        return claim.metadata().ownerReferences();
    }

    private boolean hasOwner(KubeObject owner) {
        return references().stream()
                .anyMatch(reference -> reference.uid().equals(owner.metadata().uid()));
    }

    private boolean hasOwnerWithoutControl() {
        return references().stream()
                .anyMatch(owner -> !owner.isController()
                        && (owner.uid().equals(set.metadata().uid())
                                || owner.uid().equals(pod.metadata().uid())));
    }

    /** Returns whether the claim belongs to an earlier object of the name. */
    private boolean isStale(ResourceType<?> type, KubeObject owner) {
        return references().stream()
                .filter(reference -> refersTo(reference, type, owner))
                .findFirst()
                .filter(reference -> !reference.uid().equals(owner.metadata().uid()))
                .isPresent();
    }

    private static boolean refersTo(OwnerReference reference, ResourceType<?> type, KubeObject object) {
        return reference.apiVersion().equals(type.apiVersion())
                && reference.kind().equals(type.kind())
                && reference.name().equals(object.metadata().name());
    }
}
