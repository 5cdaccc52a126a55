/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.services;

import io.kubeloop.api.ObjectName;
import io.kubeloop.api.Time;
import io.kubeloop.api.core.Pod;
import io.kubeloop.api.core.PodCondition;
import io.kubeloop.api.core.Service;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * Computes the time of the change that causes a write, from the last known times of a service and its pods (upstream:
 * {@code endpointutil.TriggerTimeTracker}). Clients use it to measure network programming latency.
 *
 * <p>Thread-safe for different services. Only one thread at a time may call for a service.
 */
public final class TriggerTimeTracker {

    /** The annotation of Endpoints and EndpointSlices that holds the time. */
    public static final String LAST_CHANGE_TRIGGER_TIME = "endpoints.kubernetes.io/last-change-trigger-time";

    private record LastSeen(@Nullable Time service, Map<String, Time> pods) {}

    private static final LastSeen NOTHING = new LastSeen(null, Map.of());

    private final ConcurrentMap<ObjectName, LastSeen> lastSeen = new ConcurrentHashMap<>();

    /** Creates a tracker that has seen nothing. */
    public TriggerTimeTracker() {}

    /**
     * Returns the time of the earliest change since the last call, or null if there was none. The first call for a
     * service returns the service's creation time, because earlier changes of its pods are irrelevant.
     */
    public @Nullable Time computeEndpointLastChangeTriggerTime(Service service, List<Pod> pods) {
        LastSeen before = lastSeen.getOrDefault(service.objectName(), NOTHING);
        Time earliest = null;
        Map<String, Time> podTimes = new HashMap<>();
        for (Pod pod : pods) {
            Time time = triggerTime(pod);
            if (time != null) {
                podTimes.put(pod.metadata().name(), time);
                earliest =
                        earlier(earliest, time, before.pods().get(pod.metadata().name()));
            }
        }
        Time created = service.metadata().creationTimestamp();
        if (created != null) {
            earliest = earlier(earliest, created, before.service());
        }
        boolean isNew = lastSeen.put(service.objectName(), new LastSeen(created, podTimes)) == null;
        return isNew ? created : earliest;
    }

    /**
     * Returns the earlier of the two times; the candidate counts only if it is later than the last known time of its
     * object.
     */
    private static @Nullable Time earlier(@Nullable Time earliest, Time candidate, @Nullable Time seen) {
        boolean isNews = seen == null || candidate.compareTo(seen) > 0;
        return isNews && (earliest == null || candidate.compareTo(earliest) < 0) ? candidate : earliest;
    }

    private static @Nullable Time triggerTime(Pod pod) {
        PodCondition ready = pod.status().condition(PodCondition.READY);
        return ready == null ? null : ready.lastTransitionTime();
    }

    /** Removes a deleted service. */
    public void deleteService(ObjectName name) {
        lastSeen.remove(name);
    }
}
