package io.kubeloop.controller.endpointslice;

import io.kubeloop.api.ObjectName;
import io.kubeloop.api.discovery.EndpointSlice;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Records the generation of each slice that the controller wrote, so that a sync can wait until the cache shows it, and an
 * event of the controller's own write queues nothing (upstream: {@code EndpointSliceTracker}).
 *
 * <p>Thread-safe.
 */
final class EndpointSliceTracker {

    // Invariant
    //   T1  A service's record holds every slice that the controller wrote for it and whose deletion no event has shown.
    // One lock guards the map and its values; nothing is called while it is held.

    /** The generation of a slice that the controller deleted. */
    private static final long DELETED = -1;

    private final Object lock = new Object();
    private final Map<ObjectName, Map<String, Long>> generations = new HashMap<>();

    /** Records the slice as the server returned it. */
    void wrote(ObjectName service, EndpointSlice slice) {
        put(service, slice, slice.metadata().generation());
    }

    void deleted(ObjectName service, EndpointSlice slice) {
        put(service, slice, DELETED);
    }

    private void put(ObjectName service, EndpointSlice slice, long generation) {
        synchronized (lock) {
            generations
                    .computeIfAbsent(service, name -> new HashMap<>())
                    .put(slice.metadata().uid(), generation);
        }
    }

    /** Returns whether the cache lacks a write of this controller: a slice, its newest generation, or its deletion. */
    boolean isStale(ObjectName service, List<EndpointSlice> cached) {
        Map<String, Long> shown = new HashMap<>();
        cached.forEach(slice ->
                shown.put(slice.metadata().uid(), slice.metadata().generation()));
        synchronized (lock) {
            return generations.getOrDefault(service, Map.of()).entrySet().stream()
                    .anyMatch(written -> isMissing(written.getValue(), shown.get(written.getKey())));
        }
    }

    private static boolean isMissing(long written, @Nullable Long shown) {
        return written == DELETED ? shown != null : shown == null || shown < written;
    }

    /** Returns whether the controller has written the slice and no event has shown its deletion. */
    boolean has(ObjectName service, EndpointSlice slice) {
        return generation(service, slice) != null;
    }

    /** Returns whether the slice is not what the controller wrote, so that its service must be synced. */
    boolean isNews(ObjectName service, EndpointSlice slice) {
        Long written = generation(service, slice);
        return written == null || slice.metadata().generation() > written;
    }

    private @Nullable Long generation(ObjectName service, EndpointSlice slice) {
        synchronized (lock) {
            return generations
                    .getOrDefault(service, Map.of())
                    .get(slice.metadata().uid());
        }
    }

    /** Records that the slice is gone; returns whether somebody else deleted it. */
    boolean isLoss(ObjectName service, EndpointSlice slice) {
        synchronized (lock) {
            Map<String, Long> ofService = generations.get(service);
            Long written = ofService == null ? null : ofService.remove(slice.metadata().uid());
            return written != null && written != DELETED;
        }
    }

    /** Drops the record of a service that has no slices of this controller any more. */
    void forget(ObjectName service) {
        synchronized (lock) {
            generations.remove(service);
        }
    }
}
