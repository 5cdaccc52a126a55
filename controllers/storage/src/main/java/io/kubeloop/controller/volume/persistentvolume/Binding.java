/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.volume.persistentvolume;

import io.kubeloop.api.GenericObject;
import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.ObjectMetaBuilder;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.client.ApiException;
import io.kubeloop.api.client.DeleteOptions;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.client.ResourceClient;
import io.kubeloop.api.core.PersistentVolumeClaim;
import io.kubeloop.cache.Lister;
import io.kubeloop.controller.WriteBarrier;
import io.kubeloop.controller.events.EventRecorder;
import io.kubeloop.controller.events.EventType;
import io.kubeloop.json.tree.JsonObject;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes claims and volumes. A binding is four writes: spec and status of the volume, then spec and status of
 * the claim. Each is skipped when it is done already, so a binding that failed halfway is completed by the next
 * sync (upstream: {@code bind}).
 *
 * <p>Confined to the worker; the methods that write block.
 */
final class Binding {

    /** One worker writes everything, so all writes are recorded for one key. */
    private static final ObjectName WORKER = new ObjectName("", "");

    private final Lister<PersistentVolumeClaim> cachedClaims;
    private final Lister<GenericObject> cachedVolumes;
    private final ResourceClient<PersistentVolumeClaim> claims;
    private final ResourceClient<GenericObject> volumes;
    private final EventRecorder events;
    private final WriteBarrier barrier;

    /**
     * Creates the reads and writes of a worker.
     *
     * @param barrier follows the caches of claims, volumes and pods
     */
    Binding(
            Lister<PersistentVolumeClaim> cachedClaims,
            Lister<GenericObject> cachedVolumes,
            KubeClient client,
            EventRecorder events,
            WriteBarrier barrier) {
        this.cachedClaims = cachedClaims;
        this.cachedVolumes = cachedVolumes;
        this.events = events;
        this.barrier = barrier;
        claims = client.resource(ResourceTypes.PERSISTENT_VOLUME_CLAIMS);
        volumes = client.resource(ResourceTypes.PERSISTENT_VOLUMES);
    }

    /**
     * Returns whether the caches lack a write of the worker. No sync may begin then: any claim may choose any volume,
     * so a sync reads what all others wrote. The barrier calls back when the caches have caught up.
     */
    boolean isBehind() {
        return barrier.isBehind(WORKER);
    }

    @Nullable
    Claim claim(ObjectName name) {
        PersistentVolumeClaim claim = cachedClaims.get(name);
        return claim == null ? null : Claim.of(claim);
    }

    @Nullable
    Volume volume(String name) {
        GenericObject volume = cachedVolumes.get(new ObjectName("", name));
        return volume == null ? null : Volume.of(volume);
    }

    List<Volume> volumes() {
        return cachedVolumes.list().stream().map(Volume::of).toList();
    }

    /** Returns the claim as the server has it; null if there is none. */
    @Nullable
    Claim currentClaim(ObjectName name) {
        try {
            return Claim.of(claims.get(name));
        } catch (ApiException e) {
            if (e.isNotFound()) {
                return null;
            }
            throw e;
        }
    }

    /** Binds a claim to a volume, or completes the binding. */
    void bind(Claim claim, Volume volume) {
        Volume bound = setPhase(bindVolume(claim, volume), Volume.BOUND, "");
        Claim written = bindClaim(claim, bound);
        setPhase(written, Claim.BOUND, bound);
    }

    private Volume bindVolume(Claim claim, Volume volume) {
        JsonObject content = volume.content();
        Map<String, String> annotations = new HashMap<>(volume.annotations());
        if (!volume.isOf(claim)) {
            annotations.putIfAbsent(Claim.BOUND_BY_CONTROLLER, "yes");
        }
        if (!volume.isOf(claim) || volume.claimUid().isEmpty()) {
            content = content.with(List.of("spec", "claimRef"), reference(claim));
        }
        return writeVolume(volume, content, annotations);
    }

    private static JsonObject reference(Claim claim) {
        return JsonObject.EMPTY
                .with("kind", "PersistentVolumeClaim")
                .with("namespace", claim.name().namespace())
                .with("name", claim.name().name())
                .with("uid", claim.uid())
                .with("apiVersion", "v1")
                .with("resourceVersion", claim.object().metadata().resourceVersion());
    }

    private Claim bindClaim(Claim claim, Volume volume) {
        JsonObject content = claim.content();
        Map<String, String> annotations = new HashMap<>(claim.annotations());
        if (!claim.volumeName().equals(volume.name())) {
            content = content.with(List.of("spec", "volumeName"), volume.name());
            annotations.putIfAbsent(Claim.BOUND_BY_CONTROLLER, "yes");
        }
        annotations.putIfAbsent(Claim.BIND_COMPLETED, "yes");
        return write(claim, content, annotations);
    }

    /** Gives a volume back: one that a user reserved stays reserved. */
    void unbind(Volume volume) {
        Map<String, String> annotations = new HashMap<>(volume.annotations());
        boolean isOurs = annotations.remove(Claim.BOUND_BY_CONTROLLER) != null;
        List<String> member = isOurs ? List.of("spec", "claimRef") : List.of("spec", "claimRef", "uid");
        setPhase(writeVolume(volume, volume.content().without(member), annotations), Volume.AVAILABLE, "");
    }

    /** Writes spec and annotations of a claim, unless both are the same. Returns what is stored. */
    Claim write(Claim claim, JsonObject content, Map<String, String> annotations) {
        if (content.equals(claim.content()) && annotations.equals(claim.annotations())) {
            return claim;
        }
        PersistentVolumeClaim changed =
                new PersistentVolumeClaim(annotated(claim.object().metadata(), annotations), content.toUnknownFields());
        return Claim.of(wrote(claims.update(changed)));
    }

    private Volume writeVolume(Volume volume, JsonObject content, Map<String, String> annotations) {
        return write(volume, content, annotated(volume.object().metadata(), annotations));
    }

    /** Writes spec and metadata of a volume, unless both are the same. Returns what is stored. */
    Volume write(Volume volume, JsonObject content, ObjectMeta metadata) {
        if (content.equals(volume.content()) && metadata.equals(volume.object().metadata())) {
            return volume;
        }
        return Volume.of(wrote(volumes.update(with(volume.object(), content).withMetadata(metadata))));
    }

    private PersistentVolumeClaim wrote(PersistentVolumeClaim claim) {
        return barrier.wrote(WORKER, ResourceTypes.PERSISTENT_VOLUME_CLAIMS, claim);
    }

    private GenericObject wrote(GenericObject volume) {
        return barrier.wrote(WORKER, ResourceTypes.PERSISTENT_VOLUMES, volume);
    }

    private static GenericObject with(GenericObject object, JsonObject content) {
        return new GenericObject(object.apiVersion(), object.kind(), object.metadata(), content.toUnknownFields());
    }

    private static ObjectMeta annotated(ObjectMeta metadata, Map<String, String> annotations) {
        return ObjectMetaBuilder.builder(metadata).annotations(annotations).build();
    }

    /** Writes the phase of a volume, unless it has it. Returns what is stored. */
    Volume setPhase(Volume volume, String phase, String message) {
        if (volume.phase().equals(phase)) {
            return volume;
        }
        JsonObject status = volume.content().object("status").with("phase", phase);
        JsonObject written = message.isEmpty() ? status.without("message") : status.with("message", message);
        GenericObject changed = with(volume.object(), volume.content().with("status", written));
        return Volume.of(wrote(volumes.updateStatus(changed)));
    }

    /**
     * Writes the phase of a claim with what it has of its volume, unless the claim has both.
     *
     * @param volume null for a claim without a volume
     * @return whether the phase was another one
     */
    boolean setPhase(Claim claim, String phase, @Nullable Volume volume) {
        boolean isNew = !claim.phase().equals(phase);
        JsonObject status = claim.content().object("status").with("phase", phase);
        if (volume == null) {
            for (String member : List.of("accessModes", "capacity", "currentVolumeAttributesClassName")) {
                status = status.without(member);
            }
        } else {
            JsonObject spec = volume.content().object("spec");
            status = status.with("accessModes", spec.array("accessModes"));
            if (isNew) {
                status = status.with("capacity", spec.object("capacity"));
                if (!volume.attributesClass().isEmpty()) {
                    status = status.with("currentVolumeAttributesClassName", volume.attributesClass());
                }
            }
        }
        if (!status.equals(claim.content().object("status"))) {
            JsonObject content = claim.content().with("status", status);
            PersistentVolumeClaim changed =
                    new PersistentVolumeClaim(claim.object().metadata(), content.toUnknownFields());
            wrote(claims.updateStatus(changed));
        }
        return isNew;
    }

    void event(Claim claim, String type, String reason, String message) {
        events.event(ResourceTypes.PERSISTENT_VOLUME_CLAIMS, claim.object(), type, reason, message);
    }

    void event(Volume volume, String type, String reason, String message) {
        events.event(ResourceTypes.PERSISTENT_VOLUMES, volume.object(), type, reason, message);
    }

    /** Sets the phase Failed, with an event, unless the volume has it. */
    void fail(Volume volume, String reason, String message) {
        if (!volume.phase().equals(Volume.FAILED)) {
            event(setPhase(volume, Volume.FAILED, message), EventType.WARNING, reason, message);
        }
    }

    /** Records a pod that the cache must show before the next sync. */
    void created(GenericObject pod) {
        barrier.wroteVersion(WORKER, ResourceTypes.PODS, pod.metadata().resourceVersion());
    }

    void delete(Volume volume) {
        volumes.delete(volume.object().objectName(), DeleteOptions.DEFAULT);
    }
}
