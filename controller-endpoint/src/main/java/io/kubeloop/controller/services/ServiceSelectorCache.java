/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.services;

import io.kubeloop.api.ObjectName;
import io.kubeloop.api.core.Pod;
import io.kubeloop.api.core.Service;
import io.kubeloop.api.selector.LabelSelectors;
import io.kubeloop.api.selector.Selector;
import io.kubeloop.cache.Lister;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * Caches the selectors of services, because every change of a pod is matched with all services of its namespace
 * (upstream: {@code endpointutil.ServiceSelectorCache}).
 *
 * <p>A selector is cached from its first use until the service's handler reports a change. The same report queues the
 * service, so a pod that was matched with the old selector is not missed. Thread-safe.
 */
public final class ServiceSelectorCache {

    private final ConcurrentMap<ObjectName, Selector> selectors = new ConcurrentHashMap<>();

    /** Creates an empty cache. */
    public ServiceSelectorCache() {}

    /** Stores the service's current selector. */
    public void update(Service service) {
        selectors.put(service.objectName(), selectorOf(service));
    }

    /** Removes a service. */
    public void delete(ObjectName service) {
        selectors.remove(service);
    }

    /** Returns the services that select the pod. O(services of its namespace). */
    public Set<ObjectName> getPodServiceMemberships(Lister<Service> services, Pod pod) {
        Set<ObjectName> memberships = new HashSet<>();
        for (Service service : services.list(pod.metadata().namespace())) {
            // A service without a selector selects no pod: another client maintains its Endpoints.
            if (service.spec().hasSelector()) {
                ObjectName name = service.objectName();
                Selector selector = selectors.computeIfAbsent(name, n -> selectorOf(service));
                if (selector.matches(pod.metadata().labels())) {
                    memberships.add(name);
                }
            }
        }
        return memberships;
    }

    private static Selector selectorOf(Service service) {
        return LabelSelectors.ofMap(service.spec().selector());
    }
}
