/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.volume.attachdetach;

import io.kubeloop.api.GenericObject;
import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.core.Node;
import io.kubeloop.api.core.PersistentVolumeClaim;
import io.kubeloop.api.core.Pod;
import io.kubeloop.cache.DeletedObject;
import io.kubeloop.cache.Lister;
import io.kubeloop.cache.ResourceEventHandler;
import io.kubeloop.cache.SharedInformer;
import io.kubeloop.controller.ControllerContext;
import io.kubeloop.controller.ControllerLoop;
import io.kubeloop.controller.ControllerTime;
import io.kubeloop.controller.SingleLoopController;
import io.kubeloop.controller.volumes.CsiDrivers;
import io.kubeloop.controller.volumes.PodVolumes;
import io.kubeloop.controller.volumes.VolumeSpec;
import io.kubeloop.workqueue.RateLimitingQueue;
import io.kubeloop.workqueue.WorkQueueConfig;
import io.kubeloop.workqueue.WorkQueues;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Attaches the volumes of pods to the pods' nodes, and detaches volumes that no pod on a node needs any longer
 * (upstream: {@code attachdetach.AttachDetachController}). The drivers of the volumes do the work, when a
 * VolumeAttachment requests it. The controller reports what is attached in the status of the node, and waits for the
 * kubelet to release a volume before it is detached.
 *
 * <p>Upstream compares desired and actual state every 100 ms. This controller does it after each change.
 *
 * <p>Thread-safe. {@link #awaitTermination} and {@link #close} block.
 */
public final class AttachDetachController implements SingleLoopController {

    private static final String NAME = "persistentvolume-attach-detach-controller";
    private static final String ACCOUNT = "attachdetach-controller";

    private static final Duration SWEEP_PERIOD = Duration.ofMinutes(1);
    private static final int SWEEPS_PER_LIST = 3;

    private static final Item RECONCILE = new Item(Kind.RECONCILE, new ObjectName("", ""));
    private static final Item SWEEP = new Item(Kind.SWEEP, new ObjectName("", ""));
    private static final Item CHECK = new Item(Kind.CHECK, new ObjectName("", ""));

    /** What the worker does. */
    private enum Kind {
        /** A pod changed. */
        POD,
        /** A pod is gone; the name is its UID. */
        POD_GONE,
        /** A node is new. */
        NODE_ADDED,
        /** A node changed. */
        NODE,
        /** A claim changed. */
        CLAIM,
        /** A driver may be done with a VolumeAttachment. */
        ATTACHMENT,
        /** Compares desired and actual state. */
        RECONCILE,
        /** Compares the desired state with the pods. */
        SWEEP,
        /** Compares the actual state with the VolumeAttachments. */
        CHECK
    }

    private record Item(Kind kind, ObjectName name) {}

    private final AttachDetachConfig config;
    private final RateLimitingQueue<Item> queue;
    private final SharedInformer<Pod> pods;
    private final SharedInformer<PersistentVolumeClaim> claims;
    private final Function<ObjectName, List<Pod>> podsByClaim;
    private final Lister<GenericObject> volumes;
    private final NodeStatuses nodes;
    private final Attachments attachments;
    private final DesiredState desired = new DesiredState();
    private final ActualState actual = new ActualState();
    private final PodDemand demand;
    private final Reconciler reconciler;
    private final AttachMetrics metrics;
    private final ControllerLoop<Item> loop;

    /** Written by the worker only. */
    private boolean isPopulated;

    private int sweeps;

    private AttachDetachController(ControllerContext context, AttachDetachConfig config) {
        this.config = config;
        KubeClient client = context.clients().apply(ACCOUNT);
        pods = context.informers().informer(ResourceTypes.PODS);
        claims = context.informers().informer(ResourceTypes.PERSISTENT_VOLUME_CLAIMS);
        SharedInformer<Node> nodeInformer = context.informers().informer(ResourceTypes.NODES);
        SharedInformer<GenericObject> volumeInformer = context.informers().informer(ResourceTypes.PERSISTENT_VOLUMES);
        SharedInformer<GenericObject> driverInformer = context.informers().informer(CsiDrivers.TYPE);
        SharedInformer<GenericObject> attachmentInformer = context.informers().informer(Attachments.TYPE);
        podsByClaim = PodVolumes.byClaim(pods);
        volumes = volumeInformer.lister();
        nodes = new NodeStatuses(nodeInformer.lister(), client.resource(ResourceTypes.NODES));
        attachments = new Attachments(attachmentInformer.lister(), client.resource(Attachments.TYPE));
        metrics = new AttachMetrics(context.metrics());
        WorkQueueConfig queueConfig = context.queues().apply("attach_detach");
        queue = WorkQueues.rateLimiting(queueConfig);
        CsiDrivers drivers = new CsiDrivers(driverInformer.lister());
        demand = new PodDemand(pods.lister(), new PodVolumes(claims.lister(), volumes), drivers, desired);
        Clock clock = ControllerTime.steady(queueConfig.scheduler());
        reconciler = new Reconciler(
                new Reconciler.Parts(
                        desired,
                        actual,
                        nodes,
                        attachments,
                        drivers,
                        context.recorders().apply(ACCOUNT),
                        clock),
                config.forcesDetachment(),
                metrics,
                new Reconciler.Alarm() {
                    @Override
                    public void reconcileAfter(Duration wait) {
                        queue.addAfter(RECONCILE, wait);
                    }

                    @Override
                    public void lookAfter(String attachment, Duration wait) {
                        queue.addAfter(new Item(Kind.ATTACHMENT, new ObjectName("", attachment)), wait);
                    }
                });
        loop = new ControllerLoop<>(
                NAME,
                queue,
                this::sync,
                List.of(
                        nodeInformer.addHandler(new Handler<Node>(Kind.NODE_ADDED, Kind.NODE, Kind.NODE)),
                        pods.addHandler(new Handler<Pod>(Kind.POD, Kind.POD, Kind.POD_GONE)),
                        claims.addHandler(ResourceEventHandler.forKeys(ACCOUNT, key -> add(Kind.CLAIM, key))),
                        attachmentInformer.addHandler(
                                ResourceEventHandler.forKeys(ACCOUNT, key -> add(Kind.ATTACHMENT, key)))),
                List.of(volumeInformer, driverInformer),
                context.threads());
    }

    /**
     * Creates the controller ({@code persistentvolume-attach-detach-controller}), registered with its informers and not
     * started.
     */
    public static AttachDetachController of(ControllerContext context, AttachDetachConfig config) {
        return new AttachDetachController(context, config);
    }

    private void add(Kind kind, ObjectName name) {
        queue.add(new Item(kind, name));
    }

    /** Adds an item for each change. What is there at the start is read by {@link #populate}. */
    private final class Handler<T extends KubeObject> implements ResourceEventHandler<T> {

        private final Kind added;
        private final Kind updated;
        private final Kind deleted;

        private Handler(Kind added, Kind updated, Kind deleted) {
            this.added = added;
            this.updated = updated;
            this.deleted = deleted;
        }

        @Override
        public void onAdd(T object, boolean isInInitialList) {
            if (!isInInitialList) {
                add(added, object.objectName());
            }
        }

        @Override
        public void onUpdate(T old, T current) {
            add(updated, current.objectName());
        }

        @Override
        public void onDelete(DeletedObject<T> gone) {
            T last = gone.lastKnown();
            if (deleted == Kind.POD_GONE && last != null) {
                add(deleted, new ObjectName("", last.metadata().uid()));
            } else {
                add(deleted, gone.name());
            }
        }

        @Override
        public String handlerName() {
            return ACCOUNT;
        }
    }

    private void sync(Item item) {
        if (!isPopulated) {
            populate();
            isPopulated = true;
        }
        ObjectName name = item.name();
        switch (item.kind()) {
            case POD -> {
                Pod pod = pods.lister().get(name);
                if (pod != null) {
                    demand.update(pod);
                }
            }
            case POD_GONE -> {
                Pod pod = desired.pod(name.name());
                if (pod != null) {
                    demand.removed(pod);
                }
            }
            case NODE_ADDED -> {
                syncNode(name.name());
                actual.rewrite(name.name()); // the new object may lack what an older one of this name had
            }
            case NODE -> syncNode(name.name());
            case CLAIM -> syncClaim(name);
            case ATTACHMENT -> reconciler.look(name.name());
            case RECONCILE -> reconciler.reconcile();
            case SWEEP -> sweep();
            case CHECK -> {
                queue.addAfter(CHECK, config.syncPeriod());
                reconciler.checkAttachments();
            }
        }
        if (item.kind() != Kind.RECONCILE && item.kind() != Kind.ATTACHMENT) {
            queue.add(RECONCILE);
        }
    }

    /** Reads what the previous manager left: the status of nodes counts as true, other attachments are uncertain. */
    private void populate() {
        for (Node node : nodes.cached().list()) {
            String name = node.metadata().name();
            NodeStatuses.attached(node).forEach((volume, path) -> actual.attached(volume, null, name, path));
            syncNode(name);
        }
        for (GenericObject attachment : attachments.cached().list()) {
            GenericObject volume =
                    volumes.get(new ObjectName("", attachment.string("spec", "source", "persistentVolumeName")));
            String node = attachment.string("spec", "nodeName");
            if (volume != null) {
                PodVolumes.spec(volume)
                        .filter(spec -> demand.drivers().requiresAttachment(spec))
                        .filter(spec -> !actual.knows(spec.uniqueName(), node))
                        .ifPresent(spec -> actual.uncertain(spec.uniqueName(), spec, node));
            }
        }
        for (Pod pod : pods.lister().list()) {
            demand.update(pod);
            demand.forEach(pod, volume -> complete(volume, pod.spec().nodeName()));
        }
    }

    /** Completes a volume that is known from the status of its node. */
    private void complete(VolumeSpec volume, String nodeName) {
        Node node = nodes.node(nodeName);
        if (node != null && actual.isAttached(volume.uniqueName(), nodeName)) {
            Map<String, String> paths = NodeStatuses.attached(node);
            actual.attached(volume.uniqueName(), volume, nodeName, paths.getOrDefault(volume.uniqueName(), ""));
        }
    }

    private void syncNode(String name) {
        Node node = nodes.node(name);
        if (node == null) {
            desired.removeNode(name);
            actual.removeNode(name);
            return;
        }
        if (NodeStatuses.isManaged(node)) {
            desired.addNode(name);
        }
        actual.setInUse(name, NodeStatuses.inUse(node));
    }

    private void syncClaim(ObjectName name) {
        PersistentVolumeClaim claim = claims.lister().get(name);
        if (claim != null) {
            podsByClaim.apply(name).forEach(demand::update);
        }
    }

    private void sweep() {
        queue.addAfter(SWEEP, SWEEP_PERIOD);
        demand.sweep();
        if (sweeps++ % SWEEPS_PER_LIST == 0) {
            demand.addAll();
            metrics.inUse(demand.uses());
        }
    }

    /** Starts one worker and ignores the given number: it owns the desired and the actual state. */
    @Override
    public void start(int workers) {
        loop.start(1);
        queue.add(SWEEP);
        if (config.isChecking()) {
            queue.addAfter(CHECK, config.syncPeriod());
        }
    }

    @Override
    public ControllerLoop<?> loop() {
        return loop;
    }
}
