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
import io.kubeloop.controller.RecentWrites;
import io.kubeloop.controller.events.EventRecorder;
import io.kubeloop.controller.events.EventType;
import io.kubeloop.workqueue.DelayingQueue;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings the Endpoints of one service into the state in which they should be (upstream: {@code syncService}).
 *
 * <p>Called by several workers at a time, but by one per service (I3).
 */
final class EndpointsSync {

    /** When the change happened that the last write answered. */
    static final String LAST_CHANGE_TRIGGER_TIME = "endpoints.kubernetes.io/last-change-trigger-time";

    /** Tells kube-proxy that there is nothing to program. */
    static final String HEADLESS = "service.kubernetes.io/headless";

    /** Tells Endpoints of this controller from those that people made. */
    static final String MANAGED_BY = "endpoints.kubernetes.io/managed-by";

    private static final String CONTROLLER_NAME = "endpoint-controller";

    private static final Logger LOG = LoggerFactory.getLogger(EndpointsSync.class);

    private final EndpointCaches caches;
    private final ResourceClient<Endpoints> client;
    private final ResourceClient<Service> services;
    private final EventRecorder recorder;
    private final EndpointRules rules;
    private final DesiredSubsets desired;
    private final SubsetEquality equality;
    private final RecentWrites<Endpoints> recentWrites;
    private final DelayingQueue<ObjectName> queue;
    private final Set<ObjectName> writtenHere = ConcurrentHashMap.newKeySet();
    private final TriggerTimeTracker triggerTimes = new TriggerTimeTracker();
    private final SyncedPodVersions podVersions = new SyncedPodVersions();

    EndpointsSync(
            EndpointCaches caches,
            KubeClient client,
            EventRecorder recorder,
            RecentWrites<Endpoints> recentWrites,
            DelayingQueue<ObjectName> queue,
            EndpointRules rules) {
        this.caches = caches;
        this.client = client.resource(ResourceTypes.ENDPOINTS);
        this.services = client.resource(ResourceTypes.SERVICES);
        this.recorder = recorder;
        this.recentWrites = recentWrites;
        this.queue = queue;
        this.rules = rules;
        this.desired = new DesiredSubsets(rules);
        this.equality = new SubsetEquality(rules);
    }

    /**
     * Reads the caches, and writes if something is to be changed. Blocks while writing.
     *
     * @throws RuntimeException if the server refused or did not answer: the key is to be tried again
     */
    void syncService(ObjectName name) {
        Service service = caches.services().get(name);
        if (service == null) {
            endEndpoints(name);
            recentWrites.forget(name);
            triggerTimes.deleteService(name);
            podVersions.forget(name);
        } else if (isOurs(service)) {
            syncEndpoints(service);
        }
    }

    private void endEndpoints(ObjectName service) {
        if (!rules.frugal()) {
            deleteEndpoints(service);
        } else if (mayHaveEndpoints(service)) {
            if (isThere(service)) {
                // The cache will show it, or never: it can go while no watch is open, and no event would tell.
                queue.addAfter(service, RecentWrites.LIFETIME);
            } else {
                deleteEndpoints(service);
                writtenHere.remove(service);
            }
        }
    }

    private boolean isOurs(Service service) {
        return service.spec().hasSelector()
                && (rules.externalNames() || !service.spec().type().equals("ExternalName"));
    }

    /**
     * Since v1.22 the API server deletes them together with the service. What this process has written may be there though the cache
     * does not show it, and though the write seemed to fail.
     */
    private boolean mayHaveEndpoints(ObjectName service) {
        return caches.endpoints().get(service) != null || writtenHere.contains(service);
    }

    /**
     * Asks the server whether the service is there. Each cache has a time of its own: that of services may be older than that of
     * Endpoints, at the start above all, and Endpoints that somebody made for a service without a selector would not come back.
     */
    private boolean isThere(ObjectName service) {
        try {
            services.get(service);
            return true;
        } catch (ApiException e) {
            if (!e.isNotFound()) {
                throw e;
            }
            return false;
        }
    }

    /** Without a service there are no endpoints; the garbage collector does not know of that bond. */
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
        // Asked for even if nothing will be written: this is what keeps the tracker's memory up to date.
        Time triggerTime = triggerTimes.computeEndpointLastChangeTriggerTime(service, pods);
        List<EndpointSubset> subsets = desired.of(service, pods);
        boolean truncated = OverCapacity.exceeds(subsets, rules.maxAddresses());
        if (truncated) {
            subsets = OverCapacity.truncate(subsets, rules.maxAddresses());
        }
        Endpoints current = current(service.objectName());
        if (current != null && isUpToDate(current, service, subsets, truncated)) {
            LOG.debug("Endpoints {} are up to date", service.objectName());
            podVersions.saw(service.objectName(), subsets);
            return;
        }
        Endpoints base = current == null ? Endpoints.of(newMetadata(service), List.of()) : current;
        ObjectMeta metadata = ObjectMetaBuilder.builder(base.metadata())
                .labels(labels(service))
                .annotations(annotations(base.metadata().annotations(), triggerTime, truncated))
                .unknownFields(base.metadata().unknownFields().withoutAbsences())
                .build();
        write(service, new Endpoints(metadata, subsets, base.unknownFields().withoutAbsences()));
        podVersions.saw(service.objectName(), subsets);
    }

    private List<Pod> podsOf(Service service) {
        Selector selector = LabelSelectors.ofMap(service.spec().selector());
        return caches.pods()
                .list(
                        service.metadata().namespace(),
                        pod -> selector.matches(pod.metadata().labels()));
    }

    private @Nullable Endpoints current(ObjectName name) {
        Endpoints cached = caches.endpoints().get(name);
        if (!rules.frugal()) {
            return cached;
        }
        Endpoints latest = recentWrites.latest(name, cached);
        if (latest != null && (cached == null || !isSameVersion(latest, cached))) {
            // They can be deleted while no watch is open, before the cache has ever shown them: no event would tell.
            queue.addAfter(name, RecentWrites.LIFETIME);
        }
        return latest;
    }

    private static boolean isSameVersion(Endpoints a, Endpoints b) {
        return a.metadata().resourceVersion().equals(b.metadata().resourceVersion());
    }

    private static ObjectMeta newMetadata(Service service) {
        return ObjectMeta.named(
                service.metadata().namespace(), service.metadata().name());
    }

    private static boolean isNew(Endpoints endpoints) {
        return endpoints.metadata().resourceVersion().isEmpty();
    }

    private boolean isUpToDate(Endpoints current, Service service, List<EndpointSubset> subsets, boolean truncated) {
        ObjectMeta metadata = current.metadata();
        Map<String, String> wanted = managed(service.metadata().labels());
        return !isNew(current)
                && without(HEADLESS, metadata.labels()).equals(rules.frugal() ? without(HEADLESS, wanted) : wanted)
                && (rules.maxAddresses() == 0 || OverCapacity.isAnnotated(metadata.annotations(), truncated))
                && equality.areEqual(current.subsets(), subsets, mendsLabel(metadata, service, subsets));
    }

    /**
     * Whether an update for the pods' new versions alone would be upstream's occasion to mend a label that it never compares:
     * the one that says whether the service has an address, which changes with the service's type.
     */
    private boolean mendsLabel(ObjectMeta metadata, Service service, List<EndpointSubset> subsets) {
        boolean isRight = metadata.labels().containsKey(HEADLESS) != PodAddresses.isServiceIpSet(service.spec());
        return !isRight && !podVersions.areOf(service.objectName(), subsets);
    }

    private Map<String, String> labels(Service service) {
        Map<String, String> labels =
                without(HEADLESS, managed(service.metadata().labels()));
        if (!PodAddresses.isServiceIpSet(service.spec())) {
            labels.put(HEADLESS, "");
        }
        return labels;
    }

    private Map<String, String> managed(Map<String, String> labels) {
        if (!rules.managedByLabel()) {
            return labels;
        }
        Map<String, String> managed = new LinkedHashMap<>(labels);
        managed.put(MANAGED_BY, CONTROLLER_NAME);
        return managed;
    }

    private Map<String, String> annotations(
            Map<String, String> present, @Nullable Time triggerTime, boolean truncated) {
        Map<String, String> annotations = without(LAST_CHANGE_TRIGGER_TIME, present);
        if (triggerTime != null) {
            annotations.put(LAST_CHANGE_TRIGGER_TIME, triggerTime.toString());
        }
        if (truncated) {
            annotations.put(OverCapacity.ANNOTATION, OverCapacity.TRUNCATED);
        } else if (rules.maxAddresses() > 0) {
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
        RecentWrites.Entry<Endpoints> begun = recentWrites.begin(endpoints.objectName());
        writtenHere.add(endpoints.objectName());
        try {
            ObjectMeta stored = create ? client.createForMetadata(endpoints) : client.updateForMetadata(endpoints);
            Endpoints written = new Endpoints(stored, endpoints.subsets(), endpoints.unknownFields());
            recentWrites.done(begun, endpoints.metadata().resourceVersion(), written);
        } catch (RuntimeException e) {
            recentWrites.forget(endpoints.objectName());
            if (create && isForbidden(e) && Errors.isNamespaceTerminating(e)) {
                // Every further try would fail too: the service will be gone soon, and with it the need.
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

    /** Somebody was faster: the next try settles it, and people need not hear of it. */
    private boolean isRoutine(RuntimeException error) {
        return rules.frugal() && error instanceof ApiException refused && refused.isConflict();
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
