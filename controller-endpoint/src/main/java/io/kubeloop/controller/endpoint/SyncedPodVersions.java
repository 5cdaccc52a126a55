package io.kubeloop.controller.endpoint;

import io.kubeloop.api.ObjectName;
import io.kubeloop.api.core.EndpointSubset;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * Tells whether upstream would find its Endpoints out of date by the versions of their pods alone.
 *
 * <p>Upstream writes whenever a version differs, so that its Endpoints have those that its last sync saw. Here such updates are
 * left out, and what the server has tells nothing of when the versions changed. Kept are not the subsets of every service, but
 * one number for each.
 *
 * <p>Called by several workers at a time, but by one per service.
 */
final class SyncedPodVersions {

    private final ConcurrentMap<ObjectName, Integer> seen = new ConcurrentHashMap<>();

    /** Returns whether the last sync has seen these subsets with these versions; false if there was none yet. */
    boolean areOf(ObjectName service, List<EndpointSubset> subsets) {
        Integer last = seen.get(service);
        return last != null && last == subsets.hashCode();
    }

    /** Remembers what a sync has seen that ended well. */
    void saw(ObjectName service, List<EndpointSubset> subsets) {
        seen.put(service, subsets.hashCode());
    }

    void forget(ObjectName service) {
        seen.remove(service);
    }
}
