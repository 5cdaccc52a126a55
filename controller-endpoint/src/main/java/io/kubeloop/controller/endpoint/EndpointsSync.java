/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.endpoint;

import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.ObjectMetaBuilder;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.Time;
import io.kubeloop.api.client.ApiException;
import io.kubeloop.api.client.DeleteOptions;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.client.ResourceClient;
import io.kubeloop.api.core.EndpointSubset;
import io.kubeloop.api.core.Endpoints;
import io.kubeloop.api.core.Pod;
import io.kubeloop.api.core.Service;
import io.kubeloop.api.selector.LabelSelectors;
import io.kubeloop.api.selector.Selector;
import io.kubeloop.controller.Errors;
import io.kubeloop.controller.WriteBarrier;
import io.kubeloop.controller.events.EventRecorder;
import io.kubeloop.controller.events.EventType;
import io.kubeloop.controller.services.TriggerTimeTracker;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Syncs the Endpoints of one service (upstream: {@code syncService}).
 *
 * <p>Thread-safe for different services; one worker at a time syncs a service. Blocks while it writes.
 */
final class EndpointsSync {

    /** Marks Endpoints that kube-proxy must ignore. */
    static final String HEADLESS = "service.kubernetes.io/headless";

    /** Distinguishes Endpoints of this controller from those that users created. */
    static final String MANAGED_BY = "endpoints.kubernetes.io/managed-by";

    private static final String CONTROLLER_NAME = "endpoint-controller";

    private static final Logger LOG = LoggerFactory.getLogger(EndpointsSync.class);

    private final EndpointCaches caches;
    private final ResourceClient<Endpoints> client;
    private final ResourceClient<Service> services;
    private final EventRecorder recorder;
    private final WriteBarrier barrier;
    private final Set<ObjectName> writtenHere = ConcurrentHashMap.newKeySet();
    private final TriggerTimeTracker triggerTimes = new TriggerTimeTracker();

    /**
     * Creates a sync over these caches.
     *
     * @param barrier follows the caches of services and Endpoints
     */
    EndpointsSync(EndpointCaches caches, KubeClient client, EventRecorder recorder, WriteBarrier barrier) {
        this.caches = caches;
        this.client = client.resource(ResourceTypes.ENDPOINTS);
        this.services = client.resource(ResourceTypes.SERVICES);
        this.recorder = recorder;
        this.barrier = barrier;
    }

    /**
     * Compares the caches with the desired state, and writes if they differ. Blocks until the server responds. A sync
     * is put off while the caches do not show the last write for this service.
     *
     * @throws RuntimeException if the server rejected a request or did not respond; the caller must retry the key
     */
    void syncService(ObjectName name) {
        if (barrier.isBehind(name)) {
            LOG.debug("Service {}: the caches do not show the last write yet", name);
            return;
        }
        Service service = caches.services().get(name);
        if (service == null) {
            endEndpoints(name);
            triggerTimes.deleteService(name);
        } else if (isOurs(service)) {
            syncEndpoints(service);
        }
    }

    private void endEndpoints(ObjectName service) {
        if (!mayHaveEndpoints(service)) {
            return;
        }
        Service live = find(service);
        if (live == null) {
            deleteEndpoints(service);
            writtenHere.remove(service);
            barrier.forget(service);
        } else {
            // The cache may never show the service: it can be deleted while no watch is open, without an event.
            barrier.wroteVersion(
                    service, ResourceTypes.SERVICES, live.metadata().resourceVersion());
            barrier.queueWhenCaughtUp(service);
        }
    }

    private static boolean isOurs(Service service) {
        return service.spec().hasSelector() && !service.spec().type().equals("ExternalName");
    }

    /**
     * Returns whether the service may have Endpoints: in the cache, or written by this process. A written object may
     * exist although the cache does not show it, even if the write failed. Since v1.22 the API server deletes Endpoints
     * together with their service.
     */
    private boolean mayHaveEndpoints(ObjectName service) {
        return caches.endpoints().get(service) != null || writtenHere.contains(service);
    }

    /**
     * Returns the service as the server has it, or null if there is none. The cache of services may be older than that
     * of Endpoints, especially at the start. Without this read, Endpoints that a user created for a service without a
     * selector could be deleted.
     */
    private @Nullable Service find(ObjectName service) {
        try {
            return services.get(service);
        } catch (ApiException e) {
            if (!e.isNotFound()) {
                throw e;
            }
            return null;
        }
    }

    /** Deletes the Endpoints of a deleted service; they have no owner reference for the garbage collector. */
    private void deleteEndpoints(ObjectName name) {
        try {
            client.delete(name, DeleteOptions.DEFAULT);
        } catch (ApiException e) {
            if (!e.isNotFound()) {
                throw e;
            }
        }
    }

    private void syncEndpoints(Service service) {
        List<Pod> pods = podsOf(service);
        // Computed even if nothing is written, because the tracker must see every state.
        Time triggerTime = triggerTimes.computeEndpointLastChangeTriggerTime(service, pods);
        List<EndpointSubset> subsets = DesiredSubsets.of(service, pods);
        boolean truncated = OverCapacity.exceeds(subsets, OverCapacity.LIMIT);
        if (truncated) {
            subsets = OverCapacity.truncate(subsets, OverCapacity.LIMIT);
        }
        Endpoints current = caches.endpoints().get(service.objectName());
        if (current != null && isUpToDate(current, service, subsets, truncated)) {
            LOG.debug("Endpoints {} are up to date", service.objectName());
            return;
        }
        Endpoints base = current == null ? Endpoints.of(newMetadata(service), List.of()) : current;
        ObjectMeta metadata = ObjectMetaBuilder.builder(base.metadata())
                .labels(labels(service))
                .annotations(annotations(base.metadata().annotations(), triggerTime, truncated))
                .unknownFields(base.metadata().unknownFields().withoutAbsences())
                .build();
        write(service, new Endpoints(metadata, subsets, base.unknownFields().withoutAbsences()));
    }

    private List<Pod> podsOf(Service service) {
        Selector selector = LabelSelectors.ofMap(service.spec().selector());
        return caches.pods()
                .list(
                        service.metadata().namespace(),
                        pod -> selector.matches(pod.metadata().labels()));
    }

    private static ObjectMeta newMetadata(Service service) {
        return ObjectMeta.named(
                service.metadata().namespace(), service.metadata().name());
    }

    private static boolean isNew(Endpoints endpoints) {
        return endpoints.metadata().resourceVersion().isEmpty();
    }

    /** Compares everything but the headless label: as upstream, its absence or presence alone is no reason to write. */
    private static boolean isUpToDate(
            Endpoints current, Service service, List<EndpointSubset> subsets, boolean truncated) {
        ObjectMeta metadata = current.metadata();
        return !isNew(current)
                && without(HEADLESS, metadata.labels()).equals(without(HEADLESS, labels(service)))
                && OverCapacity.isAnnotated(metadata.annotations(), truncated)
                && SubsetEquality.areEqual(current.subsets(), subsets);
    }

    private static Map<String, String> labels(Service service) {
        Map<String, String> labels = without(HEADLESS, service.metadata().labels());
        labels.put(MANAGED_BY, CONTROLLER_NAME);
        if (!service.spec().hasClusterIP()) {
            labels.put(HEADLESS, "");
        }
        return labels;
    }

    private static Map<String, String> annotations(
            Map<String, String> present, @Nullable Time triggerTime, boolean truncated) {
        Map<String, String> annotations = without(TriggerTimeTracker.LAST_CHANGE_TRIGGER_TIME, present);
        if (triggerTime != null) {
            annotations.put(TriggerTimeTracker.LAST_CHANGE_TRIGGER_TIME, triggerTime.toString());
        }
        if (truncated) {
            annotations.put(OverCapacity.ANNOTATION, OverCapacity.TRUNCATED);
        } else {
            annotations.remove(OverCapacity.ANNOTATION);
        }
        return annotations;
    }

    private static Map<String, String> without(String key, Map<String, String> map) {
        Map<String, String> copy = new LinkedHashMap<>(map);
        copy.remove(key);
        return copy;
    }

    private void write(Service service, Endpoints endpoints) {
        boolean create = isNew(endpoints);
        writtenHere.add(endpoints.objectName());
        try {
            ObjectMeta written = create ? client.createForMetadata(endpoints) : client.updateForMetadata(endpoints);
            barrier.wroteVersion(service.objectName(), ResourceTypes.ENDPOINTS, written.resourceVersion());
            // The Endpoints can be deleted while no watch is open, before the cache has shown them, without an event.
            barrier.queueWhenCaughtUp(service.objectName());
        } catch (RuntimeException e) {
            if (create && isForbidden(e) && Errors.isNamespaceTerminating(e)) {
                // A retry cannot succeed: the service is deleted with its namespace.
                LOG.debug("Namespace of service {} is terminating: no endpoints created", service.objectName());
                return;
            }
            if (!isRoutine(e)) {
                report(service, endpoints, create, e);
            }
            throw e;
        }
    }

    private static boolean isForbidden(RuntimeException error) {
        return error instanceof ApiException refused && refused.isForbidden();
    }

    /** Returns whether the failure needs no event: a conflict, which the next try resolves. */
    private static boolean isRoutine(RuntimeException error) {
        return error instanceof ApiException refused && refused.isConflict();
    }

    private void report(Service service, Endpoints endpoints, boolean create, RuntimeException error) {
        String reason = create ? "FailedToCreateEndpoint" : "FailedToUpdateEndpoint";
        String what = create ? "Failed to create endpoint for service " : "Failed to update endpoint ";
        recorder.event(
                ResourceTypes.ENDPOINTS,
                endpoints,
                EventType.WARNING,
                reason,
                what + service.objectName() + ": " + Errors.text(error));
    }
}
