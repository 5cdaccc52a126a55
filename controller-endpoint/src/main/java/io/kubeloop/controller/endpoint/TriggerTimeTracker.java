package io.kubeloop.controller.endpoint;

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
 * Remembers what last changed about a service and its pods, in order to say when the change happened that a write answers
 * (upstream: {@code endpointutil.TriggerTimeTracker}). Clients measure the network's programming latency from there.
 *
 * <p>Thread-safe for different services. One service is asked about by one thread at a time (I3): the map is shared, its
 * immutable values are not.
 */
final class TriggerTimeTracker {

    private record LastSeen(@Nullable Time service, Map<String, Time> pods) {}

    private static final LastSeen NOTHING = new LastSeen(null, Map.of());

    private final ConcurrentMap<ObjectName, LastSeen> lastSeen = new ConcurrentHashMap<>();

    /**
     * Returns when the earliest change since the last call happened, or null if there was none. The first call for a service
     * returns the service's creation: what its pods went through before does not concern it.
     */
    @Nullable
    Time computeEndpointLastChangeTriggerTime(Service service, List<Pod> pods) {
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

    /** Returns the earlier of the two, if the candidate is later than what was seen of the same object. */
    private static @Nullable Time earlier(@Nullable Time earliest, Time candidate, @Nullable Time seen) {
        boolean isNews = seen == null || candidate.compareTo(seen) > 0;
        return isNews && (earliest == null || candidate.compareTo(earliest) < 0) ? candidate : earliest;
    }

    private static @Nullable Time triggerTime(Pod pod) {
        PodCondition ready = pod.status().condition(PodCondition.READY);
        return ready == null ? null : ready.lastTransitionTime();
    }

    /** Forgets a service that is gone. */
    void deleteService(ObjectName name) {
        lastSeen.remove(name);
    }
}
