/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.volume.attachdetach;

import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.core.Pod;
import io.kubeloop.controller.Errors;
import io.kubeloop.controller.events.EventRecorder;
import io.kubeloop.controller.events.EventType;
import io.kubeloop.controller.volume.attachdetach.ActualState.OnNode;
import io.kubeloop.controller.volume.attachdetach.Attachments.AttachmentException;
import io.kubeloop.controller.volume.attachdetach.DesiredState.Wanted;
import io.kubeloop.controller.volume.attachdetach.PendingOperations.Kind;
import io.kubeloop.controller.volume.attachdetach.PendingOperations.Operation;
import io.kubeloop.controller.volumes.CsiDrivers;
import io.kubeloop.controller.volumes.VolumeSpec;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Begins the attachments and detachments that bring the actual state to the desired one, and ends those that the
 * drivers have completed (upstream: {@code reconciler}). Detachments begin first, so a volume whose pod moved to
 * another node becomes free.
 *
 * <p>Confined to the worker. The methods block for requests.
 */
final class Reconciler {

    private static final Logger LOG = LoggerFactory.getLogger(Reconciler.class);

    /** The time that a node has to release a volume that no pod needs. */
    static final Duration RELEASE = Duration.ofMinutes(6);

    private static final Duration DRIVER_TIMEOUT = Duration.ofMinutes(2);
    private static final Duration FIRST_LOOK = Duration.ofMillis(500);
    private static final Duration LAST_LOOK = Duration.ofSeconds(7);
    private static final Duration REPEAT = Duration.ofSeconds(1);

    /**
     * The caches and clients of a reconciler.
     *
     * @param desired the volumes that pods need
     * @param actual the volumes that are attached
     * @param nodes reads and writes the status of nodes
     * @param attachments reads and writes VolumeAttachments
     * @param drivers the drivers
     * @param events records the outcome for pods
     * @param clock measures waits
     */
    record Parts(
            DesiredState desired,
            ActualState actual,
            NodeStatuses nodes,
            Attachments attachments,
            CsiDrivers drivers,
            EventRecorder events,
            Clock clock) {}

    /** Requests later calls. */
    interface Alarm {

        /** Requests a call of {@link #reconcile}. */
        void reconcileAfter(Duration wait);

        /** Requests a call of {@link #look}. */
        void lookAfter(String attachment, Duration wait);
    }

    private final Parts parts;
    private final boolean forcesDetachment;
    private final AttachMetrics metrics;
    private final Alarm alarm;
    private final PendingOperations operations = new PendingOperations();

    Reconciler(Parts parts, boolean forcesDetachment, AttachMetrics metrics, Alarm alarm) {
        this.parts = parts;
        this.forcesDetachment = forcesDetachment;
        this.metrics = metrics;
        this.alarm = alarm;
    }

    /** Begins what can begin now, and writes the status of nodes. */
    void reconcile() {
        parts.actual().all().stream()
                .filter(volume -> !parts.desired().wants(volume.name(), volume.node()))
                .forEach(this::detach);
        List<Wanted> desired = parts.desired().all();
        desired.forEach(this::attach);
        boolean isWritten = true;
        for (String node : parts.actual().outdated()) {
            isWritten &= parts.nodes().write(node, parts.actual());
        }
        if (!isWritten) {
            alarm.reconcileAfter(REPEAT);
        }
        metrics.total(desired, parts.actual().all());
    }

    private void detach(OnNode volume) {
        Instant now = parts.clock().instant();
        String node = volume.node();
        if (!operations.mayBegin(Kind.DETACH, volume, now) || !isServed(volume)) {
            return;
        }
        Duration unwanted = parts.actual().unwanted(volume.name(), node, now);
        boolean isOverdue = forcesDetachment && unwanted.compareTo(RELEASE) > 0;
        boolean isOutOfService = parts.nodes().isOutOfService(node);
        boolean isForced = isOutOfService || (isOverdue && !parts.nodes().isReady(node));
        if (parts.actual().isInUse(volume.name(), node) && !isForced) {
            if (!isOverdue && forcesDetachment) {
                alarm.reconcileAfter(RELEASE.minus(unwanted).plusMillis(1));
            }
            return;
        }
        // The kubelet must not mount the volume while it is detached.
        parts.actual().unreport(volume.name(), node);
        if (!parts.nodes().write(node, parts.actual())) {
            parts.actual().report(volume.name(), node);
            alarm.reconcileAfter(REPEAT);
            return;
        }
        boolean isVerified = !isOverdue && !isOutOfService;
        if (!isVerified) {
            metrics.forced(isOverdue);
            LOG.warn(
                    "Detaching volume {} from node {}, which may still use it: {}",
                    volume.name(),
                    node,
                    isOverdue ? "no pod has needed it for 6 min" : "the node is out of service");
        }
        beginDetachment(volume, isVerified, now);
    }

    /** Volumes that are known from the status of a node only may belong to a plug-in that is gone. */
    private static boolean isServed(OnNode volume) {
        return volume.spec() != null
                || List.of(VolumeSpec.CSI, VolumeSpec.FIBRE_CHANNEL, VolumeSpec.ISCSI).stream()
                        .anyMatch(plugin -> volume.name().startsWith(plugin + "/"));
    }

    /** Returns the name of the VolumeAttachment; empty for a volume that needs none. */
    private static String attachment(OnNode volume) {
        String prefix = VolumeSpec.CSI + "/";
        if (!volume.name().startsWith(prefix)) {
            return "";
        }
        String id = volume.name().substring(prefix.length());
        int separator = Math.max(0, id.indexOf('^'));
        return Attachments.name(
                id.substring(Math.min(id.length(), separator + 1)), id.substring(0, separator), volume.node());
    }

    private void beginDetachment(OnNode volume, boolean isVerified, Instant now) {
        Operation operation = new Operation(Kind.DETACH, volume, attachment(volume), true, List.of(), now);
        operations.begin(operation);
        try {
            if (isVerified && parts.nodes().isInUseNow(volume.name(), volume.node())) {
                failed(operation, "volume is still in use by node, according to Node status");
            } else if (operation.attachment().isEmpty() || parts.attachments().delete(operation.attachment())) {
                succeeded(operation);
            } else {
                alarm.lookAfter(operation.attachment(), FIRST_LOOK);
            }
        } catch (AttachmentException | RuntimeException e) {
            failed(operation, Errors.text(e));
        }
    }

    private void attach(Wanted wanted) {
        VolumeSpec spec = wanted.volume();
        OnNode volume = new OnNode(spec.uniqueName(), spec, wanted.node(), false);
        if (operations.isPending(volume)) {
            return;
        }
        if (parts.actual().isAttached(volume.name(), volume.node())) {
            parts.actual().wanted(volume.name(), volume.node());
            return;
        }
        List<String> holders = parts.actual().nodesOf(volume.name());
        if (!spec.allowsSeveralNodes() && !holders.isEmpty()) {
            if (wanted.report()) {
                reportHolders(wanted, holders);
            }
            return;
        }
        Instant now = parts.clock().instant();
        if (!operations.mayBegin(Kind.ATTACH, volume, now)) {
            return;
        }
        String attachment = spec.plugin().equals(VolumeSpec.CSI) ? Attachments.name(spec, volume.node()) : "";
        Operation operation = new Operation(
                Kind.ATTACH, volume, attachment, parts.attachments().isCached(attachment), wanted.pods(), now);
        operations.begin(operation);
        if (attachment.isEmpty()) {
            succeeded(operation);
            return;
        }
        try {
            parts.attachments().create(spec, volume.node());
            alarm.lookAfter(attachment, FIRST_LOOK);
        } catch (AttachmentException e) {
            failed(operation, e.getMessage());
        }
    }

    /** Each pod receives the names of the pods in its own namespace only. */
    private void reportHolders(Wanted wanted, List<String> holders) {
        List<String> others = new ArrayList<>(holders);
        others.remove(wanted.node());
        List<Pod> users = parts.desired().pods(wanted.volume().uniqueName(), others);
        for (Pod pod : wanted.pods()) {
            String namespace = pod.metadata().namespace();
            String names = users.stream()
                    .filter(user -> user.metadata().namespace().equals(namespace))
                    .map(user -> user.metadata().name())
                    .collect(Collectors.joining(", "));
            long foreign = users.stream()
                    .filter(user -> !user.metadata().namespace().equals(namespace))
                    .count();
            String elsewhere = foreign + " pod(s) in different namespaces";
            String text;
            if (users.isEmpty()) {
                text = "Volume is already exclusively attached to one node, waiting on detach before it can be attached"
                        + " to another node";
            } else if (names.isEmpty()) {
                text = "Volume is already used by " + elsewhere;
            } else {
                text = "Volume is already used by pod(s) " + names + (foreign > 0 ? " and " + elsewhere : "");
            }
            event(
                    pod,
                    EventType.WARNING,
                    "FailedAttachVolume",
                    "Waiting for detach for volume \"" + wanted.volume().name() + "\" " + text);
        }
    }

    private void event(Pod pod, String type, String reason, String message) {
        parts.events().event(ResourceTypes.PODS, pod, type, reason, message);
    }

    /** Ends the operation that waits for a VolumeAttachment, if the cache shows that the driver is done with it. */
    void look(String attachment) {
        Operation operation = operations.waitingFor(attachment);
        if (operation == null) {
            return;
        }
        try {
            boolean isDone = operation.kind() == Kind.ATTACH
                    ? parts.attachments().isAttached(attachment, operation.isRequested())
                    : parts.attachments().isDetached(attachment);
            Duration waited = Duration.between(operation.start(), parts.clock().instant());
            if (isDone) {
                succeeded(operation);
            } else if (waited.compareTo(DRIVER_TIMEOUT) >= 0) {
                failed(operation, timeout(operation));
            } else {
                alarm.lookAfter(attachment, nextLook(waited));
            }
        } catch (AttachmentException e) {
            failed(operation, e.getMessage());
        }
    }

    /** The longer the driver takes, the less often the cache is read. */
    private static Duration nextLook(Duration waited) {
        Duration grown = FIRST_LOOK.plus(waited.dividedBy(20));
        return grown.compareTo(LAST_LOOK) > 0 ? LAST_LOOK : grown;
    }

    private static String timeout(Operation operation) {
        VolumeSpec spec = operation.volume().spec();
        boolean attaches = operation.kind() == Kind.ATTACH;
        return "timed out waiting for external-attacher of "
                + (attaches && spec != null ? spec.driver() : "unknown")
                + " CSI driver to " + (attaches ? "attach" : "detach") + " volume "
                + (spec == null ? operation.volume().name() : spec.handle());
    }

    private void succeeded(Operation operation) {
        OnNode volume = operation.volume();
        if (operation.kind() == Kind.ATTACH) {
            parts.actual().attached(volume.name(), volume.spec(), volume.node(), "");
            operation
                    .pods()
                    .forEach(pod -> event(
                            pod,
                            EventType.NORMAL,
                            "SuccessfulAttachVolume",
                            "AttachVolume.Attach succeeded for volume \"" + name(volume) + "\" "));
        } else {
            parts.actual().detached(volume.name(), volume.node());
        }
        operations.succeeded(operation);
        ended(operation, true);
        alarm.reconcileAfter(Duration.ZERO);
    }

    private static String name(OnNode volume) {
        return volume.spec() == null ? volume.name() : volume.spec().name();
    }

    /** After a failure nobody knows whether the volume is attached. */
    private void failed(Operation operation, @Nullable String why) {
        OnNode volume = operation.volume();
        parts.actual().uncertain(volume.name(), volume.spec(), volume.node());
        LOG.warn(
                "Cannot {} volume {} and node {}; tries again: {}",
                operation.kind() == Kind.ATTACH ? "attach" : "detach",
                name(volume),
                volume.node(),
                why);
        operation
                .pods()
                .forEach(pod -> event(
                        pod,
                        EventType.WARNING,
                        "FailedAttachVolume",
                        "AttachVolume.Attach failed for volume \"" + name(volume) + "\" : " + why));
        alarm.reconcileAfter(
                operations.failed(operation, parts.clock().instant()).plusMillis(1));
        ended(operation, false);
    }

    private void ended(Operation operation, boolean isSuccess) {
        metrics.operation(
                operation.kind(),
                operation.volume(),
                isSuccess,
                Duration.between(operation.start(), parts.clock().instant()));
    }

    /** Notes the volumes that somebody else has detached. */
    void checkAttachments() {
        operations.forgetOldFailures(parts.clock().instant());
        for (OnNode volume : parts.actual().all()) {
            VolumeSpec spec = volume.spec();
            if (!volume.isConfirmed() || spec == null || !parts.drivers().requiresAttachment(spec)) {
                continue;
            }
            String attachment = attachment(volume);
            if (!attachment.isEmpty() && !parts.attachments().isStillAttached(attachment)) {
                LOG.warn("Volume {} is no longer attached to node {}", spec.name(), volume.node());
                parts.actual().detached(volume.name(), volume.node());
            }
        }
        alarm.reconcileAfter(Duration.ZERO);
    }
}
