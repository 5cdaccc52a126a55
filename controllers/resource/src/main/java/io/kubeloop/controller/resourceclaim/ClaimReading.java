/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.resourceclaim;

import io.kubeloop.api.GenericObject;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.OwnerReference;
import io.kubeloop.api.ResourceType;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.core.Pod;
import io.kubeloop.api.core.PodStatus;
import io.kubeloop.json.tree.JsonObject;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads pods and ResourceClaims. Stateless. */
final class ClaimReading {

    static final ResourceType<GenericObject> CLAIMS = ResourceTypes.generic(
            "resource.k8s.io", "v1", "resourceclaims", "ResourceClaim", ResourceType.Scope.NAMESPACED);
    static final ResourceType<GenericObject> TEMPLATES = ResourceTypes.generic(
            "resource.k8s.io", "v1", "resourceclaimtemplates", "ResourceClaimTemplate", ResourceType.Scope.NAMESPACED);

    /** The annotation of a created claim: the name of the entry in the pod's spec. */
    static final String POD_CLAIM_NAME = "resource.kubernetes.io/pod-claim-name";

    private ClaimReading() {}

    /** Returns the entries of {@code spec.resourceClaims}. */
    static List<JsonObject> entries(Pod pod) {
        return JsonObject.of(pod.spec().unknownFields())
                .array("resourceClaims")
                .objects()
                .toList();
    }

    /** Returns the entries of {@code status.resourceClaimStatuses}. */
    static Stream<JsonObject> statuses(Pod pod) {
        return JsonObject.of(pod.status().unknownFields())
                .array("resourceClaimStatuses")
                .objects();
    }

    /** Returns the status of an entry, or null if the pod has none. */
    static @Nullable JsonObject status(Pod pod, JsonObject entry) {
        return statuses(pod)
                .filter(status -> status.string("name").equals(entry.string("name")))
                .findFirst()
                .orElse(null);
    }

    /** Returns the claims that the pod names in its spec and status. */
    static List<ObjectName> names(Pod pod) {
        return Stream.concat(
                        entries(pod).stream().map(entry -> entry.string("resourceClaimName")),
                        statuses(pod).map(status -> status.string("resourceClaimName")))
                .filter(name -> !name.isEmpty())
                .map(name -> new ObjectName(pod.metadata().namespace(), name))
                .distinct()
                .toList();
    }

    /** Returns the templates that the pod names. */
    static List<ObjectName> templates(Pod pod) {
        return entries(pod).stream()
                .map(entry -> entry.string("resourceClaimTemplateName"))
                .filter(name -> !name.isEmpty())
                .map(name -> new ObjectName(pod.metadata().namespace(), name))
                .distinct()
                .toList();
    }

    /**
     * Returns whether no container of the pod runs, or will run: the pod has finished, or is deleted and never had a
     * node.
     */
    static boolean isDone(Pod pod) {
        String phase = pod.status().phase();
        return phase.equals(PodStatus.SUCCEEDED)
                || phase.equals(PodStatus.FAILED)
                || (pod.metadata().isDeleting() && pod.spec().nodeName().isEmpty());
    }

    /** Returns the pod that controls the claim, or null if there is none. */
    static @Nullable OwnerReference owner(GenericObject claim) {
        OwnerReference controller = claim.metadata().controller();
        return controller != null
                        && controller.kind().equals("Pod")
                        && controller.apiVersion().equals("v1")
                ? controller
                : null;
    }

    /** Returns whether the pod controls the claim. */
    static boolean isOwner(Pod pod, GenericObject claim) {
        OwnerReference owner = owner(claim);
        return owner != null && owner.uid().equals(pod.metadata().uid());
    }

    /** Returns the entry of its pod for which the claim was created; empty if there is none. */
    static String entryName(GenericObject claim) {
        return Objects.requireNonNullElse(claim.metadata().annotations().get(POD_CLAIM_NAME), "");
    }

    static JsonObject status(GenericObject claim) {
        return JsonObject.of(claim.unknownFields()).object("status");
    }

    /** Returns a copy of the claim with this status. */
    static GenericObject withStatus(GenericObject claim, JsonObject status) {
        JsonObject content = JsonObject.of(claim.unknownFields()).with("status", status);
        return new GenericObject(claim.apiVersion(), claim.kind(), claim.metadata(), content.toUnknownFields());
    }

    /** Returns the members of {@code status.reservedFor}. */
    static List<JsonObject> reservations(GenericObject claim) {
        return status(claim).array("reservedFor").objects().toList();
    }

    /** Returns whether a reservation is for a pod, not for another kind of consumer. */
    static boolean isForPod(JsonObject reservation) {
        return reservation.string("apiGroup").isEmpty()
                && reservation.string("resource").equals("pods");
    }
}
