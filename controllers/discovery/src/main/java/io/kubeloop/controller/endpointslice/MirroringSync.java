/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.endpointslice;

import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.ObjectMetaBuilder;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.core.Endpoints;
import io.kubeloop.api.core.Service;
import io.kubeloop.api.discovery.Endpoint;
import io.kubeloop.api.discovery.EndpointSlice;
import io.kubeloop.api.discovery.EndpointSliceBuilder;
import io.kubeloop.cache.Lister;
import io.kubeloop.controller.ControllerException;
import io.kubeloop.controller.ControllerRefs;
import io.kubeloop.controller.Errors;
import io.kubeloop.controller.IncompleteSyncException;
import io.kubeloop.controller.events.EventRecorder;
import io.kubeloop.controller.events.EventType;
import io.kubeloop.controller.services.TriggerTimeTracker;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Syncs the slices that mirror one Endpoints object (upstream: {@code syncEndpoints} of {@code
 * endpointslicemirroring}).
 *
 * <p>Thread-safe for different objects; one worker at a time syncs an object. Blocks while it writes.
 */
final class MirroringSync {

    private static final String SKIP_MIRROR = "endpointslice.kubernetes.io/skip-mirror";
    private static final String LEADER_ELECTION_RECORD = "control-plane.alpha.kubernetes.io/leader";

    /** Annotations that describe the Endpoints alone. */
    private static final Set<String> OWN_ANNOTATIONS =
            Set.of(TriggerTimeTracker.LAST_CHANGE_TRIGGER_TIME, "kubectl.kubernetes.io/last-applied-configuration");

    /** The caches that a sync reads. */
    record Caches(Lister<Service> services, Lister<Endpoints> endpoints, Lister<EndpointSlice> slices) {}

    private final Caches caches;
    private final SliceLabels labels;
    private final int maxAddresses;
    private final SliceWriter writer;
    private final EndpointSliceTracker tracker;
    private final SliceMetrics metrics;
    private final EventRecorder events;
    private final Clock clock;

    MirroringSync(
            Caches caches,
            SliceLabels labels,
            int maxAddresses,
            SliceWriter writer,
            EventRecorder events,
            Clock clock) {
        this.caches = caches;
        this.labels = labels;
        this.maxAddresses = maxAddresses;
        this.writer = writer;
        this.tracker = writer.tracker();
        this.metrics = writer.metrics();
        this.events = events;
        this.clock = clock;
    }

    /** Returns whether the object may be mirrored by its own metadata; its service must allow it too. */
    static boolean mayBeMirrored(Endpoints endpoints) {
        ObjectMeta metadata = endpoints.metadata();
        return !"true".equals(metadata.labels().get(SKIP_MIRROR))
                && !metadata.annotations().containsKey(LEADER_ELECTION_RECORD);
    }

    /**
     * Compares the caches with the desired state, and writes if they differ.
     *
     * @throws IncompleteSyncException if the cache does not show this controller's own writes yet
     * @throws RuntimeException if the server rejected a request or did not respond; the caller must retry the key
     */
    void syncEndpoints(ObjectName name) {
        Instant start = clock.instant();
        try {
            sync(name);
        } finally {
            metrics.synced(Duration.between(start, clock.instant()));
        }
    }

    private void sync(ObjectName name) {
        Endpoints endpoints = caches.endpoints().get(name);
        Service service = caches.services().get(name);
        List<EndpointSlice> slices = caches.slices().list(name.namespace(), slice -> labels.areOf(name, slice));
        if (endpoints == null
                || !mayBeMirrored(endpoints)
                || service == null
                || service.spec().hasSelector()) {
            tracker.forget(name);
            metrics.forget(name);
            deleteAll(name, slices);
        } else if (tracker.isStale(name, slices)) {
            throw new IncompleteSyncException("EndpointSlice informer cache is out of date");
        } else {
            mirror(endpoints, slices);
        }
    }

    private void deleteAll(ObjectName name, List<EndpointSlice> slices) {
        List<RuntimeException> failures = new ArrayList<>();
        for (EndpointSlice slice : slices) {
            try {
                writer.delete(name, slice);
            } catch (RuntimeException e) {
                failures.add(e);
            }
        }
        if (!failures.isEmpty()) {
            throw new ControllerException(
                    "error(s) deleting " + failures.size() + "/" + slices.size() + " EndpointSlices for " + name
                            + " Endpoints, including: " + Errors.text(failures.get(0)),
                    failures.get(0));
        }
    }

    private void mirror(Endpoints endpoints, List<EndpointSlice> existing) {
        MirroredEndpoints desired = MirroredEndpoints.of(endpoints, maxAddresses);
        report(endpoints, desired);
        Map<MirroredEndpoints.Key, List<EndpointSlice>> byKey = existing.stream()
                .collect(Collectors.groupingBy(
                        slice -> new MirroredEndpoints.Key(slice.addressType(), PortGroup.key(slice.ports())),
                        LinkedHashMap::new,
                        Collectors.toList()));
        SlicePlan plan = new SlicePlan();
        desired.groups().forEach((key, group) -> plan(endpoints, key, group, byKey.getOrDefault(key, List.of()), plan));
        byKey.forEach((key, slices) -> {
            if (!desired.groups().containsKey(key)) {
                plan.deletes().addAll(slices);
            }
        });
        metrics.mirrored(plan, desired.skipped());
        metrics.use(
                endpoints.objectName(),
                "",
                desired.groups().values(),
                existing.size() + plan.creates().size() - plan.deletes().size(),
                0);
        plan.recycle(slice -> true);
        writer.execute(endpoints, plan);
    }

    private void report(Endpoints endpoints, MirroredEndpoints desired) {
        if (desired.invalid() > 0) {
            warn(
                    endpoints,
                    "InvalidIPAddress",
                    "Skipped " + desired.invalid() + " invalid IP addresses when mirroring to EndpointSlices");
        }
        if (desired.skipped() > desired.invalid()) {
            warn(
                    endpoints,
                    "TooManyAddressesToMirror",
                    "A max of " + maxAddresses + " addresses can be mirrored to EndpointSlices per Endpoints subset. "
                            + desired.skipped() + " addresses were skipped");
        }
    }

    private void warn(Endpoints endpoints, String reason, String message) {
        events.event(ResourceTypes.ENDPOINTS, endpoints, EventType.WARNING, reason, message);
    }

    /** Keeps one slice for a group and deletes the others. */
    private void plan(
            Endpoints endpoints,
            MirroredEndpoints.Key key,
            PortGroup group,
            List<EndpointSlice> existing,
            SlicePlan plan) {
        if (group.endpoints().isEmpty()) {
            plan.deletes().addAll(existing);
            plan.count(
                    0,
                    0,
                    existing.stream()
                            .mapToInt(slice -> slice.endpoints().size())
                            .sum());
            return;
        }
        EndpointSlice first = existing.isEmpty() ? null : existing.get(0);
        existing.stream().skip(1).forEach(plan.deletes()::add);
        if (first == null) {
            plan.count(group.endpoints().size(), 0, 0);
            plan.creates().add(slice(endpoints, key, group, null));
        } else if (countChanges(group, first, plan) || !isUpToDate(endpoints, first)) {
            plan.updates().add(slice(endpoints, key, group, first.metadata().name()));
        }
    }

    private static boolean isUpToDate(Endpoints endpoints, EndpointSlice slice) {
        Map<String, String> own = new HashMap<>(slice.metadata().labels());
        own.keySet().removeAll(Set.of(SliceLabels.MANAGED_BY, SliceLabels.SERVICE_NAME));
        return own.equals(endpoints.metadata().labels())
                && slice.metadata().annotations().equals(annotations(endpoints))
                && slice.metadata().ownerReferences().stream()
                        .noneMatch(owner -> owner.kind().equals("Endpoints")
                                && owner.name().equals(endpoints.metadata().name())
                                && !owner.uid().equals(endpoints.metadata().uid()));
    }

    /** Counts the endpoints of the slice that differ from the desired ones, and returns whether any does. */
    private static boolean countChanges(PortGroup group, EndpointSlice slice, SlicePlan plan) {
        Set<EndpointKey> found = new HashSet<>();
        int updated = 0;
        int removed = 0;
        for (Endpoint current : slice.endpoints()) {
            Endpoint desired = group.endpoints().get(EndpointKey.of(current));
            if (desired == null) {
                removed++;
                continue;
            }
            found.add(EndpointKey.of(current));
            updated += EndpointKey.isSame(desired, current) ? 0 : 1;
        }
        int added = group.endpoints().size() - found.size();
        plan.count(added, updated, removed);
        return added + updated + removed > 0;
    }

    private EndpointSlice slice(
            Endpoints endpoints, MirroredEndpoints.Key key, PortGroup group, @Nullable String name) {
        ObjectMeta metadata = ObjectMetaBuilder.builder()
                .namespace(endpoints.metadata().namespace())
                .name(name == null ? "" : name)
                .generateName(name == null ? endpoints.metadata().name() + "-" : "")
                .labels(labels.named(endpoints, endpoints.metadata().labels()))
                .annotations(annotations(endpoints))
                .ownerReferences(List.of(ControllerRefs.newControllerRef(ResourceTypes.ENDPOINTS, endpoints)))
                .build();
        return EndpointSliceBuilder.builder()
                .metadata(metadata)
                .addressType(key.addressType())
                .endpoints(List.copyOf(group.endpoints().values()))
                .ports(group.ports())
                .build();
    }

    private static Map<String, String> annotations(Endpoints endpoints) {
        Map<String, String> result = new HashMap<>(endpoints.metadata().annotations());
        result.keySet().removeAll(OWN_ANNOTATIONS);
        return result;
    }
}
