/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.volume.persistentvolume;

import io.kubeloop.api.ObjectName;
import io.kubeloop.api.client.ApiException;
import io.kubeloop.api.core.Pod;
import io.kubeloop.cache.Lister;
import io.kubeloop.controller.ControllerMetric;
import io.kubeloop.controller.ControllerMetrics;
import io.kubeloop.controller.events.EventType;
import io.kubeloop.json.tree.JsonObject;
import java.util.List;

/**
 * One sync of a claim (upstream: {@code syncClaim}). Confined to the worker; blocks for requests.
 *
 * @param binding reads and writes claims and volumes
 * @param classes the storage classes
 * @param provisioning provisions claims
 * @param pods the cached pods
 * @param metrics counts assignments of the default class
 */
record ClaimSync(
        Binding binding,
        StorageClasses classes,
        Provisioning provisioning,
        Lister<Pod> pods,
        ControllerMetrics metrics) {

    static final ControllerMetric ASSIGNMENTS = ControllerMetric.counter(
            "retroactive_storageclass_total", "Assignments of the default class to claims without one");
    static final ControllerMetric FAILED_ASSIGNMENTS = ControllerMetric.counter(
            "retroactive_storageclass_errors_total", "Assignments of the default class that failed");

    void sync(ObjectName name) {
        Claim found = binding.claim(name);
        if (found == null) {
            return;
        }
        Claim claim =
                binding.write(found, found.content(), DriverMigration.of(found).annotations());
        if (claim.isBindCompleted()) {
            syncBound(claim);
        } else if (claim.volumeName().isEmpty()) {
            syncUnbound(claim);
        } else {
            syncNamed(claim);
        }
    }

    private void syncUnbound(Claim claim) {
        boolean isDelayed = classes.waitsForConsumer(claim.className());
        Volume volume = VolumeMatch.best(claim, binding.volumes(), isDelayed);
        if (volume != null) {
            binding.bind(claim, volume);
            return;
        }
        if (assignDefaultClass(claim)) {
            return; // the update brings the claim back
        }
        if (isDelayed && !claim.hasSelectedNode()) {
            reportDelay(claim);
        } else if (!claim.className().isEmpty()) {
            provisioning.provision(claim);
            return;
        } else {
            binding.event(
                    claim,
                    EventType.NORMAL,
                    "FailedBinding",
                    "no persistent volumes available for this claim and no storage class is set");
        }
        binding.setPhase(claim, Claim.PENDING, null);
    }

    private boolean assignDefaultClass(Claim claim) {
        String name = claim.hasClass() ? null : classes.defaultName();
        if (name == null) {
            return false;
        }
        JsonObject content = claim.content().with(List.of("spec", "storageClassName"), name);
        metrics.record(ASSIGNMENTS, 1);
        try {
            binding.write(claim, content, claim.annotations());
        } catch (ApiException e) {
            metrics.record(FAILED_ASSIGNMENTS, 1);
            throw e;
        }
        return true;
    }

    private void reportDelay(Claim claim) {
        List<String> waiting = pods.list(claim.name().namespace()).stream()
                .filter(pod -> pod.spec().nodeName().isEmpty() && !pod.isFinished())
                .filter(pod -> uses(pod, claim.name().name()))
                .map(pod -> pod.metadata().name())
                .sorted()
                .toList();
        if (waiting.isEmpty()) {
            binding.event(
                    claim,
                    EventType.NORMAL,
                    "WaitForFirstConsumer",
                    "waiting for first consumer to be created before binding");
        } else {
            String noun = waiting.size() == 1 ? "pod " : "pods ";
            binding.event(
                    claim,
                    EventType.NORMAL,
                    "WaitForPodScheduled",
                    "waiting for " + noun + String.join(",", waiting) + " to be scheduled");
        }
    }

    static boolean uses(Pod pod, String claim) {
        return JsonObject.of(pod.spec().unknownFields())
                .array("volumes")
                .objects()
                .anyMatch(volume ->
                        volume.string("persistentVolumeClaim", "claimName").equals(claim)
                                || (volume.has("ephemeral")
                                        && claim.equals(pod.metadata().name() + "-" + volume.string("name"))));
    }

    /** The claim names the volume that it wants. */
    private void syncNamed(Claim claim) {
        Volume volume = binding.volume(claim.volumeName());
        if (volume == null) {
            binding.setPhase(claim, Claim.PENDING, null);
        } else if (!volume.hasClaim()) {
            String mismatch = VolumeMatch.mismatch(claim, volume);
            if (mismatch.isEmpty()) {
                binding.bind(claim, volume);
                return;
            }
            binding.event(
                    claim,
                    EventType.WARNING,
                    "VolumeMismatch",
                    "Cannot bind to requested volume \"" + volume.name() + "\": " + mismatch);
            binding.setPhase(claim, Claim.PENDING, null);
        } else if (volume.isOf(claim)) {
            binding.bind(claim, volume);
        } else if (claim.isBoundByController()) {
            throw new IllegalStateException("invalid binding of claim \"" + claim.name() + "\" to volume \""
                    + volume.name() + "\": volume already claimed by \"" + volume.claimName() + "\"");
        } else {
            binding.event(
                    claim,
                    EventType.WARNING,
                    "FailedBinding",
                    "volume \"" + volume.name() + "\" already bound to a different claim.");
            binding.setPhase(claim, Claim.PENDING, null);
        }
    }

    private void syncBound(Claim claim) {
        if (claim.volumeName().isEmpty()) {
            lose(claim, "ClaimLost", "Bound claim has lost reference to PersistentVolume. Data on the volume is lost!");
            return;
        }
        Volume volume = binding.volume(claim.volumeName());
        if (volume == null) {
            lose(claim, "ClaimLost", "Bound claim has lost its PersistentVolume. Data on the volume is lost!");
        } else if (!volume.hasClaim() || volume.claimUid().equals(claim.uid())) {
            binding.bind(claim, volume);
        } else {
            lose(claim, "ClaimMisbound", "Two claims are bound to the same volume, this one is bound incorrectly");
        }
    }

    private void lose(Claim claim, String reason, String message) {
        if (binding.setPhase(claim, Claim.LOST, null)) {
            binding.event(claim, EventType.WARNING, reason, message);
        }
    }
}
