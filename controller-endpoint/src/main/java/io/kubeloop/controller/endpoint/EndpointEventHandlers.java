package io.kubeloop.controller.endpoint;

import io.kubeloop.api.ObjectName;
import io.kubeloop.api.core.Endpoints;
import io.kubeloop.api.core.Pod;
import io.kubeloop.api.core.Service;
import io.kubeloop.cache.DeletedObject;
import io.kubeloop.cache.ResourceEventHandler;
import io.kubeloop.controller.RecentWrites;
import io.kubeloop.workqueue.RateLimitingQueue;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Turns what happens to services, pods and Endpoints into the keys of the services to sync.
 *
 * <p>Thread-safe: called by one informer thread for each of the three.
 */
final class EndpointEventHandlers {

    /** Marks an object that is a leader election's, not a service's. */
    static final String LEADER_ELECTION_RECORD = "control-plane.alpha.kubernetes.io/leader";

    private final EndpointCaches caches;
    private final RateLimitingQueue<ObjectName> queue;
    private final RecentWrites<Endpoints> recentWrites;
    private final EndpointControllerConfig config;
    private final ServiceSelectorCache selectors = new ServiceSelectorCache();

    EndpointEventHandlers(
            EndpointCaches caches,
            RateLimitingQueue<ObjectName> queue,
            RecentWrites<Endpoints> recentWrites,
            EndpointControllerConfig config) {
        this.caches = caches;
        this.queue = queue;
        this.recentWrites = recentWrites;
        this.config = config;
    }

    /**
     * Endpoints that are there when the controller starts may have lost their service while none ran, and are then to be
     * deleted. Objects that serve a leader election never had one and are left alone.
     */
    private void checkLeftoverEndpoints(Endpoints endpoints) {
        if (!endpoints.metadata().annotations().containsKey(LEADER_ELECTION_RECORD)) {
            queue.add(endpoints.objectName());
        }
    }

    private void updateService(Service service) {
        selectors.update(service);
        queue.add(service.objectName());
    }

    private void deleteService(ObjectName service) {
        selectors.delete(service);
        queue.add(service);
    }

    private void addPod(Pod pod) {
        enqueue(selectors.getPodServiceMemberships(caches.services(), pod));
    }

    private void updatePod(Pod before, Pod after) {
        enqueue(PodChange.between(before, after, config.rules())
                .servicesToUpdate(selectors, caches.services(), before, after));
    }

    /** A pod leaves the services that it would join; of one whose last state nobody knows there is nothing to say. */
    private void deletePod(@Nullable Pod pod) {
        if (pod != null) {
            addPod(pod);
        }
    }

    /** Endpoints that somebody deleted are made again. If their service is gone too, there is nothing left to do. */
    private void deleteEndpoints(ObjectName endpoints) {
        recentWrites.forget(endpoints);
        if (!config.rules().frugal() || caches.services().get(endpoints) != null) {
            queue.add(endpoints);
        }
    }

    private void enqueue(Set<ObjectName> services) {
        services.forEach(service -> queue.addAfter(service, config.updatesBatchPeriod()));
    }

    ResourceEventHandler<Service> ofServices() {
        return new ResourceEventHandler<>() {
            @Override
            public void onAdd(Service service, boolean isInInitialList) {
                updateService(service);
            }

            @Override
            public void onUpdate(Service before, Service after) {
                updateService(after);
            }

            @Override
            public void onDelete(DeletedObject<Service> deleted) {
                deleteService(deleted.name());
            }
        };
    }

    ResourceEventHandler<Pod> ofPods() {
        return new ResourceEventHandler<>() {
            @Override
            public void onAdd(Pod pod, boolean isInInitialList) {
                addPod(pod);
            }

            @Override
            public void onUpdate(Pod before, Pod after) {
                updatePod(before, after);
            }

            @Override
            public void onDelete(DeletedObject<Pod> deleted) {
                deletePod(deleted.lastKnown());
            }
        };
    }

    /**
     * Of Endpoints only those that were there first and deletions matter: what this controller wrote it knows, and it does
     * not fight over other writes.
     */
    ResourceEventHandler<Endpoints> ofEndpoints() {
        return new ResourceEventHandler<>() {
            @Override
            public void onAdd(Endpoints endpoints, boolean isInInitialList) {
                if (isInInitialList) {
                    checkLeftoverEndpoints(endpoints);
                }
            }

            @Override
            public void onUpdate(Endpoints before, Endpoints after) {}

            @Override
            public void onDelete(DeletedObject<Endpoints> deleted) {
                deleteEndpoints(deleted.name());
            }
        };
    }
}
