/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.statefulset;

import io.kubeloop.api.ObjectMetaBuilder;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.apps.StatefulSet;
import io.kubeloop.api.apps.VolumeClaimTemplate;
import io.kubeloop.api.client.ApiException;
import io.kubeloop.api.client.ResourceClient;
import io.kubeloop.api.core.PersistentVolumeClaim;
import io.kubeloop.api.core.Pod;
import io.kubeloop.cache.Lister;
import io.kubeloop.controller.ControllerException;
import io.kubeloop.controller.Errors;
import io.kubeloop.controller.WriteBarrier;
import io.kubeloop.controller.events.EventRecorder;
import io.kubeloop.controller.events.EventType;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Creates the claims of pods, and keeps their owners in line with the retention policy (upstream: {@code
 * createPersistentVolumeClaims} and its neighbors). Existing claims are never changed otherwise.
 *
 * <p>Thread-safe for different pods. The methods that write block.
 */
final class VolumeClaims {

    private final ResourceClient<PersistentVolumeClaim> client;
    private final Lister<PersistentVolumeClaim> cache;
    private final EventRecorder events;
    private final WriteBarrier barrier;

    VolumeClaims(
            ResourceClient<PersistentVolumeClaim> client,
            Lister<PersistentVolumeClaim> cache,
            EventRecorder events,
            WriteBarrier barrier) {
        this.client = client;
        this.cache = cache;
        this.events = events;
        this.barrier = barrier;
    }

    /**
     * Creates the claims that the pod does not have yet.
     *
     * @throws RuntimeException if one could not be created, or is being deleted; the others are created
     */
    void create(StatefulSet set, Pod pod) {
        int ordinal = Ordinals.of(pod.metadata().name());
        List<RuntimeException> errors = new ArrayList<>();
        for (VolumeClaimTemplate template : set.spec().volumeClaimTemplates()) {
            ObjectName name = StatefulPods.claimName(set, template, ordinal);
            PersistentVolumeClaim existing = cache.get(name);
            if (existing == null) {
                try {
                    create(set, pod, form(set, template, name));
                } catch (RuntimeException e) {
                    errors.add(e);
                }
            } else if (existing.metadata().isDeleting()) {
                errors.add(new ControllerException("pvc " + name.name() + " is being deleted", null));
            }
        }
        if (!errors.isEmpty()) {
            throw Errors.aggregate(errors);
        }
    }

    private void create(StatefulSet set, Pod pod, PersistentVolumeClaim claim) {
        String names = "Claim " + claim.metadata().name() + " Pod "
                + pod.metadata().name() + " in StatefulSet " + set.metadata().name();
        try {
            barrier.wrote(set.objectName(), ResourceTypes.PERSISTENT_VOLUME_CLAIMS, client.create(claim));
        } catch (RuntimeException e) {
            if (!(e instanceof ApiException refused && refused.isAlreadyExists())) {
                String failed =
                        "Create " + names.replaceFirst(" Pod ", " for Pod ") + " failed error: " + Errors.text(e);
                events.event(ResourceTypes.STATEFUL_SETS, set, EventType.WARNING, "FailedCreate", failed);
            }
            throw new ControllerException(
                    "failed to create PVC " + claim.metadata().name() + ": " + Errors.text(e), e);
        }
        events.event(
                ResourceTypes.STATEFUL_SETS, set, EventType.NORMAL, "SuccessfulCreate", "Create " + names + " success");
    }

    private static PersistentVolumeClaim form(StatefulSet set, VolumeClaimTemplate template, ObjectName name) {
        Map<String, String> labels = new LinkedHashMap<>(template.metadata().labels());
        if (set.spec().selector() != null) {
            labels.putAll(set.spec().selector().matchLabels());
        }
        // The template is a whole object; the resource gives kind and version.
        UnknownFields rest = template.unknownFields().without("kind").without("apiVersion");
        return new PersistentVolumeClaim(
                ObjectMetaBuilder.builder(template.metadata())
                        .name(name.name())
                        .namespace(name.namespace())
                        .labels(labels)
                        .build(),
                rest.withoutAbsences());
    }

    /** Returns whether the owners of all existing claims are those of the policy. */
    boolean haveOwners(StatefulSet set, Pod pod) {
        return existing(set, pod).stream().allMatch(claim -> new ClaimOwners(claim, set, pod).areUpToDate());
    }

    /** Sets the owners of the existing claims according to the policy. */
    void updateOwners(StatefulSet set, Pod pod) {
        for (PersistentVolumeClaim claim : existing(set, pod)) {
            ClaimOwners owners = new ClaimOwners(claim, set, pod);
            String name = claim.metadata().name();
            if (owners.hasOtherController()) {
                events.event(
                        ResourceTypes.STATEFUL_SETS,
                        set,
                        EventType.WARNING,
                        "ConflictingController",
                        "PersistentVolumeClaim " + name
                                + " has a conflicting OwnerReference that acts as a manging controller, the retention"
                                + " policy is ignored for this claim");
            }
            try {
                write(owners);
            } catch (RuntimeException e) {
                throw new ControllerException(
                        "could not update claim " + name + " for delete policy ownerRefs: " + Errors.text(e), e);
            }
        }
    }

    /**
     * Sets the owners of a claim according to the policy. Other controllers add a finalizer and a volume to a new claim
     * at the same moment. After a conflict the claim is therefore read again.
     */
    private void write(ClaimOwners owners) {
        ClaimOwners latest = owners;
        for (int tries = 1; !latest.areUpToDate(); tries++) {
            PersistentVolumeClaim changed = latest.updated();
            try {
                barrier.wrote(
                        owners.set().objectName(), ResourceTypes.PERSISTENT_VOLUME_CLAIMS, client.update(changed));
                return;
            } catch (ApiException e) {
                if (tries == StatefulPodControl.TRIES || !e.isConflict()) {
                    throw e;
                }
                latest = new ClaimOwners(client.get(changed.objectName()), owners.set(), owners.pod());
            }
        }
    }

    /**
     * Returns whether the pod must wait until the claims of its predecessor have gone (upstream: {@code
     * PodClaimIsStale}).
     */
    boolean areOfEarlierPod(StatefulSet set, Pod pod) {
        return ClaimOwners.deletesScaled(set)
                && existing(set, pod).stream().anyMatch(claim -> new ClaimOwners(claim, set, pod).areOfEarlierPod());
    }

    private List<PersistentVolumeClaim> existing(StatefulSet set, Pod pod) {
        int ordinal = Ordinals.of(pod.metadata().name());
        List<PersistentVolumeClaim> found = new ArrayList<>();
        for (VolumeClaimTemplate template : set.spec().volumeClaimTemplates()) {
            PersistentVolumeClaim claim = cache.get(StatefulPods.claimName(set, template, ordinal));
            if (claim != null) {
                found.add(claim);
            }
        }
        return found;
    }
}
