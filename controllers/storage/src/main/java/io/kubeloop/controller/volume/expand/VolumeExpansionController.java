/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.volume.expand;

import io.kubeloop.api.GenericObject;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.client.Patch;
import io.kubeloop.api.core.PersistentVolumeClaim;
import io.kubeloop.api.value.Quantity;
import io.kubeloop.cache.Lister;
import io.kubeloop.cache.ResourceEventHandler;
import io.kubeloop.cache.SharedInformer;
import io.kubeloop.controller.ControllerContext;
import io.kubeloop.controller.ControllerLoop;
import io.kubeloop.controller.SingleLoopController;
import io.kubeloop.controller.events.EventRecorder;
import io.kubeloop.controller.events.EventType;
import io.kubeloop.controller.volumes.CsiMigration;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.workqueue.RateLimitingQueue;
import io.kubeloop.workqueue.WorkQueues;
import java.util.List;

/**
 * Reports bound claims that request more than they have (upstream: {@code expand.expandController}). No plug-in of this
 * process expands a volume: the external resizer of a CSI driver does. For a volume of a former in-tree plug-in, the
 * controller names the resizer in an annotation of the claim.
 *
 * <p>Thread-safe. {@link #awaitTermination} and {@link #close} block.
 */
public final class VolumeExpansionController implements SingleLoopController {

    private static final String NAME = "volume_expand";
    private static final String ACCOUNT = "expand-controller";
    private static final String RESIZER = "volume.kubernetes.io/storage-resizer";

    private final Lister<PersistentVolumeClaim> claims;
    private final KubeClient client;
    private final EventRecorder events;
    private final ControllerLoop<ObjectName> loop;

    private VolumeExpansionController(ControllerContext context) {
        SharedInformer<PersistentVolumeClaim> informer =
                context.informers().informer(ResourceTypes.PERSISTENT_VOLUME_CLAIMS);
        claims = informer.lister();
        client = context.clients().apply(ACCOUNT);
        events = context.recorders().apply(NAME);
        RateLimitingQueue<ObjectName> queue =
                WorkQueues.rateLimiting(context.queues().apply(NAME));
        loop = new ControllerLoop<>(
                NAME,
                queue,
                this::sync,
                List.of(informer.addHandler(
                        ResourceEventHandler.forKeys(ACCOUNT, VolumeExpansionController::hasGrown, queue::add))),
                context.threads());
    }

    private static boolean hasGrown(PersistentVolumeClaim old, PersistentVolumeClaim current) {
        return requested(current).compareTo(requested(old)) > 0
                || capacity(current).compareTo(capacity(old)) > 0;
    }

    /**
     * Creates the controller ({@code persistentvolume-expander-controller}), registered with its informer and not
     * started.
     */
    public static VolumeExpansionController of(ControllerContext context) {
        return new VolumeExpansionController(context);
    }

    private static Quantity requested(PersistentVolumeClaim claim) {
        return quantity(JsonObject.of(claim.unknownFields()).string("spec", "resources", "requests", "storage"));
    }

    private static Quantity capacity(PersistentVolumeClaim claim) {
        return quantity(JsonObject.of(claim.unknownFields()).string("status", "capacity", "storage"));
    }

    private static Quantity quantity(String text) {
        return Quantity.parse(text.isEmpty() ? "0" : text);
    }

    private void sync(ObjectName name) {
        PersistentVolumeClaim claim = claims.get(name);
        if (claim == null) {
            return;
        }
        JsonObject content = JsonObject.of(claim.unknownFields());
        String volumeName = content.string("spec", "volumeName");
        if (!content.string("status", "phase").equals("Bound")
                || volumeName.isEmpty()
                || requested(claim).compareTo(capacity(claim)) <= 0) {
            return;
        }
        GenericObject volume = client.resource(ResourceTypes.PERSISTENT_VOLUMES).get(new ObjectName("", volumeName));
        if (!volume.string("spec", "claimRef", "uid").equals(claim.metadata().uid())) {
            throw new IllegalStateException("volume " + volumeName + " is not bound to claim " + name);
        }
        CsiMigration migrated =
                CsiMigration.ofVolume(volume.map("spec").keySet()).orElse(null);
        if (migrated == null) {
            report(claim, "waiting for an external controller to expand this PVC");
            return;
        }
        report(
                claim,
                "CSI migration enabled for " + migrated.plugin() + "; waiting for external resizer to expand the pvc");
        if (!migrated.driver().equals(claim.metadata().annotations().get(RESIZER))) {
            JsonObject annotations = JsonObject.EMPTY.with(RESIZER, migrated.driver());
            JsonObject patch = JsonObject.of("metadata", JsonObject.of("annotations", annotations));
            client.resource(ResourceTypes.PERSISTENT_VOLUME_CLAIMS).patch(name, Patch.merge(patch.toString()));
        }
    }

    private void report(PersistentVolumeClaim claim, String message) {
        events.event(ResourceTypes.PERSISTENT_VOLUME_CLAIMS, claim, EventType.NORMAL, "ExternalExpanding", message);
    }

    @Override
    public ControllerLoop<ObjectName> loop() {
        return loop;
    }
}
