/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.endpoint;

import io.kubeloop.api.ObjectName;
import io.kubeloop.api.core.Endpoints;
import io.kubeloop.api.core.Pod;
import io.kubeloop.api.core.Service;
import io.kubeloop.cache.DeletedObject;
import io.kubeloop.cache.ResourceEventHandler;
import io.kubeloop.controller.services.PodChange;
import io.kubeloop.controller.services.ServiceSelectorCache;
import io.kubeloop.workqueue.RateLimitingQueue;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Queues the keys of the services that a change of a service, pod or Endpoints object affects.
 *
 * <p>Thread-safe: one informer thread calls for each of the three kinds.
 */
final class EndpointEventHandlers {

    /** Marks an object that belongs to a leader election, not to a service. */
    static final String LEADER_ELECTION_RECORD = "control-plane.alpha.kubernetes.io/leader";

    private final EndpointCaches caches;
    private final RateLimitingQueue<ObjectName> queue;
    private final Duration updatesBatchPeriod;
    private final ServiceSelectorCache selectors = new ServiceSelectorCache();

    EndpointEventHandlers(EndpointCaches caches, RateLimitingQueue<ObjectName> queue, Duration updatesBatchPeriod) {
        this.caches = caches;
        this.queue = queue;
        this.updatesBatchPeriod = updatesBatchPeriod;
    }

    /**
     * Queues Endpoints that exist when the controller starts: their service may have been deleted while no controller
     * ran. Objects of a leader election never had a service and are skipped.
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
        enqueue(PodChange.between(before, after, true).servicesToUpdate(selectors, caches.services(), before, after));
    }

    /** A deleted pod affects the services that select it. Without the pod's last state, these services are unknown. */
    private void deletePod(@Nullable Pod pod) {
        if (pod != null) {
            addPod(pod);
        }
    }

    /** Deleted Endpoints are created again, unless their service was deleted too. */
    private void deleteEndpoints(ObjectName endpoints) {
        if (caches.services().get(endpoints) != null) {
            queue.add(endpoints);
        }
    }

    private void enqueue(Set<ObjectName> services) {
        services.forEach(service -> queue.addAfter(service, updatesBatchPeriod));
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
     * Only the initial Endpoints and deletions are handled. The controller does not revert the writes of other
     * clients.
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
