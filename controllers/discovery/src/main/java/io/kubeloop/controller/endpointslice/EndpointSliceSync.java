/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.endpointslice;

import io.kubeloop.api.ObjectMetaBuilder;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.Time;
import io.kubeloop.api.core.Pod;
import io.kubeloop.api.core.Service;
import io.kubeloop.api.discovery.EndpointSlice;
import io.kubeloop.api.discovery.EndpointSlicePort;
import io.kubeloop.api.selector.LabelSelectors;
import io.kubeloop.api.selector.Selector;
import io.kubeloop.controller.ControllerException;
import io.kubeloop.controller.Errors;
import io.kubeloop.controller.IncompleteSyncException;
import io.kubeloop.controller.events.EventRecorder;
import io.kubeloop.controller.events.EventType;
import io.kubeloop.controller.services.TriggerTimeTracker;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Syncs the slices of one service (upstream: {@code syncService} and {@code Reconciler}).
 *
 * <p>Thread-safe for different services; one worker at a time syncs a service. Blocks while it writes.
 */
final class EndpointSliceSync {

    private final EndpointSliceCaches caches;
    private final SliceLabels labels;
    private final SlicePacker packer;
    private final SliceWriter writer;
    private final EndpointSliceTracker tracker;
    private final SliceMetrics metrics;
    private final TopologyHints topology;
    private final EventRecorder events;
    private final TriggerTimeTracker triggerTimes = new TriggerTimeTracker();

    EndpointSliceSync(
            EndpointSliceCaches caches,
            SliceLabels labels,
            int maxEndpoints,
            SliceWriter writer,
            TopologyHints topology,
            EventRecorder events) {
        this.caches = caches;
        this.labels = labels;
        this.packer = new SlicePacker(labels, maxEndpoints);
        this.writer = writer;
        this.tracker = writer.tracker();
        this.metrics = writer.metrics();
        this.topology = topology;
        this.events = events;
    }

    /**
     * Compares the caches with the desired state, and writes if they differ.
     *
     * @throws IncompleteSyncException if the cache does not show this controller's own writes yet
     * @throws RuntimeException if the server rejected a request or did not respond, or a pod's node does not exist; the
     *     caller must retry the key
     */
    void syncService(ObjectName name) {
        try {
            sync(name);
            metrics.synced("success");
        } catch (RuntimeException e) {
            metrics.synced(e instanceof IncompleteSyncException ? "stale" : "error");
            throw e;
        }
    }

    private void sync(ObjectName name) {
        Service service = caches.services().get(name);
        if (service == null) {
            // The garbage collector deletes the slices.
            triggerTimes.deleteService(name);
            tracker.forget(name);
            metrics.forget(name);
            return;
        }
        if (service.spec().type().equals("ExternalName") || !service.spec().hasSelector()) {
            return;
        }
        Selector selector = LabelSelectors.ofMap(service.spec().selector());
        List<Pod> pods = caches.pods()
                .list(name.namespace(), pod -> selector.matches(pod.metadata().labels()));
        List<EndpointSlice> slices = caches.slices()
                .list(
                        name.namespace(),
                        slice -> labels.areOf(name, slice) && !slice.metadata().isDeleting());
        if (tracker.isStale(name, slices)) {
            throw new IncompleteSyncException("EndpointSlice informer cache is out of date");
        }
        // Computed even if nothing is written, because the tracker must see every state.
        Time triggerTime = triggerTimes.computeEndpointLastChangeTriggerTime(service, pods);
        try {
            reconcile(service, pods, slices, triggerTime);
        } catch (RuntimeException e) {
            events.event(
                    ResourceTypes.SERVICES,
                    service,
                    EventType.WARNING,
                    "FailedToUpdateEndpointSlices",
                    "Error updating Endpoint Slices for Service " + name + ": " + Errors.text(e));
            throw e;
        }
    }

    /** Handles each address type on its own: a failure of one does not keep the others from being written. */
    private void reconcile(Service service, List<Pod> pods, List<EndpointSlice> slices, @Nullable Time triggerTime) {
        List<RuntimeException> failures = new ArrayList<>();
        Set<String> types = AddressTypes.of(service);
        for (String type : types) {
            List<EndpointSlice> existing = slices.stream()
                    .filter(slice -> slice.addressType().equals(type))
                    .toList();
            attempt(failures, () -> reconcile(service, pods, existing, triggerTime, type));
        }
        for (EndpointSlice slice : slices) {
            if (!types.contains(slice.addressType())) {
                topology.forget(service.objectName(), slice.addressType());
                attempt(failures, () -> writer.delete(service.objectName(), slice));
            }
        }
        if (!failures.isEmpty()) {
            throw Errors.aggregate(failures);
        }
    }

    private static void attempt(List<RuntimeException> failures, Runnable task) {
        try {
            task.run();
        } catch (RuntimeException e) {
            failures.add(e);
        }
    }

    private void reconcile(
            Service service, List<Pod> pods, List<EndpointSlice> existing, @Nullable Time triggerTime, String type) {
        DesiredEndpoints desired = DesiredEndpoints.of(service, pods, type, caches.nodes());
        SlicePlan plan = plan(service, desired, existing, type);
        boolean isByTopology = TopologyHints.isRequested(service);
        String distribution = !isByTopology && TrafficDistribution.isSet(service)
                ? service.spec().trafficDistribution()
                : null;
        metrics.planned(plan);
        metrics.use(
                service.objectName(),
                type,
                desired.groups().values(),
                existing.size() + plan.creates().size() - plan.deletes().size(),
                1);
        metrics.distribute(service.objectName(), distribution);
        TopologyHints.Notice notice = hint(service, existing, plan, type);
        plan.recycle(slice -> SliceLabels.isOwned(slice, service));
        plan.creates().replaceAll(slice -> stamped(slice, triggerTime));
        plan.updates().replaceAll(slice -> stamped(slice, triggerTime));
        List<RuntimeException> failures = new ArrayList<>();
        attempt(failures, () -> {
            writer.execute(service, plan);
            metrics.wroteInSync(plan.size(), isByTopology, distribution);
        });
        if (notice != null) {
            events.event(ResourceTypes.SERVICES, service, notice.type(), notice.reason(), notice.message());
        }
        for (Pod pod : desired.homeless()) {
            failures.add(new ControllerException(
                    "skipping Pod " + pod.metadata().name() + " for Service " + service.objectName() + ": Node "
                            + pod.spec().nodeName() + " Not Found",
                    null));
        }
        if (!failures.isEmpty()) {
            throw Errors.aggregate(failures);
        }
    }

    private SlicePlan plan(Service service, DesiredEndpoints desired, List<EndpointSlice> existing, String type) {
        SlicePlan plan = new SlicePlan();
        List<EndpointSlice> owned = new ArrayList<>();
        existing.forEach(slice -> (SliceLabels.isOwned(slice, service) ? owned : plan.deletes()).add(slice));
        Map<Set<EndpointSlicePort>, List<EndpointSlice>> byPorts = PortGroup.byPorts(owned);
        desired.groups()
                .forEach((ports, group) ->
                        packer.pack(service, type, byPorts.getOrDefault(ports, List.of()), group, plan));
        byPorts.forEach((ports, slices) -> {
            if (!desired.groups().containsKey(ports)) {
                plan.deletes().addAll(slices);
            }
        });
        if (plan.creates().isEmpty() && plan.deletes().size() == existing.size()) {
            keepPlaceholder(service, plan, labels.newSlice(service, type, List.of()));
        }
        return plan;
    }

    /**
     * A service without endpoints keeps one slice without endpoints and ports. It must own this slice: upstream also
     * keeps that of an earlier service of its name, which the garbage collector then takes away.
     */
    private static void keepPlaceholder(Service service, SlicePlan plan, EndpointSlice placeholder) {
        if (plan.deletes().size() == 1
                && SliceLabels.isOwned(plan.deletes().get(0), service)
                && isPlaceholder(plan.deletes().get(0), placeholder)) {
            plan.deletes().clear();
        } else {
            plan.creates().add(placeholder);
        }
    }

    private static boolean isPlaceholder(EndpointSlice slice, EndpointSlice placeholder) {
        return slice.endpoints().isEmpty()
                && slice.ports().isEmpty()
                && slice.metadata().labels().equals(placeholder.metadata().labels());
    }

    private TopologyHints.@Nullable Notice hint(
            Service service, List<EndpointSlice> existing, SlicePlan plan, String type) {
        if (TopologyHints.isRequested(service)) {
            return topology.assign(service.objectName(), type, existing, plan);
        }
        if (TrafficDistribution.isSet(service)) {
            TrafficDistribution.assign(service, existing, plan);
        } else {
            TrafficDistribution.remove(existing, plan);
        }
        return topology.forget(service.objectName(), type);
    }

    private static EndpointSlice stamped(EndpointSlice slice, @Nullable Time triggerTime) {
        Map<String, String> annotations = new HashMap<>(slice.metadata().annotations());
        if (triggerTime == null) {
            annotations.remove(TriggerTimeTracker.LAST_CHANGE_TRIGGER_TIME);
        } else {
            annotations.put(TriggerTimeTracker.LAST_CHANGE_TRIGGER_TIME, triggerTime.toString());
        }
        return slice.withMetadata(ObjectMetaBuilder.builder(slice.metadata())
                .annotations(annotations)
                .build());
    }
}
