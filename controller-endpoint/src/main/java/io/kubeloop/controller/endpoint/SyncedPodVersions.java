package io.kubeloop.controller.endpoint;

import io.kubeloop.api.ObjectName;
import io.kubeloop.api.core.EndpointSubset;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * Records the pod versions of each service's last sync, to decide whether upstream would update Endpoints for new pod versions alone.
 *
 * <p>Upstream writes whenever a version differs, so its Endpoints have the versions of its last sync. This controller
 * omits such updates, so the stored Endpoints do not show when versions changed. Only a hash is kept for each
 * service, not its subsets.
 *
 * <p>Thread-safe for different services; one worker at a time syncs a service.
 */
final class SyncedPodVersions {

    private final ConcurrentMap<ObjectName, Integer> seen = new ConcurrentHashMap<>();

    /** Returns whether the last sync had these subsets with these versions; false if there was no sync. */
    boolean areOf(ObjectName service, List<EndpointSubset> subsets) {
        Integer last = seen.get(service);
        return last != null && last == subsets.hashCode();
    }

    /** Records the subsets of a successful sync. */
    void saw(ObjectName service, List<EndpointSubset> subsets) {
        seen.put(service, subsets.hashCode());
    }

    void forget(ObjectName service) {
        seen.remove(service);
    }
}
