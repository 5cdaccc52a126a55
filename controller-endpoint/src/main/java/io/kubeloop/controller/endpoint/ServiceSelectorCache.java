package io.kubeloop.controller.endpoint;

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
 * The selectors of services, ready to match: every change of a pod is held against all services of its namespace (upstream:
 * {@code endpointutil.ServiceSelectorCache}).
 *
 * <p>A selector is remembered from when it is first needed until the service's handler reports a change. The service is
 * queued by that same report, so a pod that was held against the old selector is not missed. Thread-safe.
 */
final class ServiceSelectorCache {

    private final ConcurrentMap<ObjectName, Selector> selectors = new ConcurrentHashMap<>();

    /** Remembers the selector that the service has now. */
    void update(Service service) {
        selectors.put(service.objectName(), selectorOf(service));
    }

    /** Forgets a service. */
    void delete(ObjectName service) {
        selectors.remove(service);
    }

    /** Returns the services that choose the pod. O(services of its namespace). */
    Set<ObjectName> getPodServiceMemberships(Lister<Service> services, Pod pod) {
        Set<ObjectName> memberships = new HashSet<>();
        for (Service service : services.list(pod.metadata().namespace())) {
            // No selector means that somebody else keeps the endpoints, not that every pod is chosen.
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
