/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.endpointslice;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.discovery.EndpointSlice;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Records the generation of each slice that the controller wrote, so a sync can wait until the cache shows it, and
 * an event of the controller's own write queues nothing (upstream: {@code EndpointSliceTracker}).
 *
 * <p>The cache may never show a slice that was deleted while no watch was open. So a record counts for {@link
 * #PATIENCE} only.
 *
 * <p>Thread-safe.
 */
final class EndpointSliceTracker {

    /*
     * Invariant:
     *   T1  A service's record holds every slice that the controller wrote for it, until an event shows its deletion or
     *       the cache has not shown the write for PATIENCE.
     *
     * The lock also guards the values of the map; nothing is called while it is held.
     */

    /** The time after which the cache counts, whatever the controller wrote: 1 min. */
    static final Duration PATIENCE = Duration.ofMinutes(1);

    private record Written(long generation, Instant expiry) {}

    /** The generation of a slice that the controller deleted. */
    private static final long DELETED = -1;

    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final Map<ObjectName, Map<String, Written>> written = new HashMap<>();

    private final Clock clock;

    /** Creates an empty record; a steady clock measures ages. */
    EndpointSliceTracker(Clock clock) {
        this.clock = clock;
    }

    /** Records the slice as the server returned it. */
    void wrote(ObjectName service, EndpointSlice slice) {
        put(service, slice, slice.metadata().generation());
    }

    void deleted(ObjectName service, EndpointSlice slice) {
        put(service, slice, DELETED);
    }

    private void put(ObjectName service, EndpointSlice slice, long generation) {
        Written entry = new Written(generation, clock.instant().plus(PATIENCE));
        lock.lock();
        try {
            written.computeIfAbsent(service, name -> new HashMap<>())
                    .put(slice.metadata().uid(), entry);
        } finally {
            lock.unlock();
        }
    }

    /** Returns whether the cache lacks a write of this controller: a slice, its newest generation, or its deletion. */
    boolean isStale(ObjectName service, List<EndpointSlice> cached) {
        Map<String, Long> shown = new HashMap<>();
        cached.forEach(
                slice -> shown.put(slice.metadata().uid(), slice.metadata().generation()));
        Instant now = clock.instant();
        lock.lock();
        try {
            Map<String, Written> ofService = written.get(service);
            if (ofService == null) {
                return false;
            }
            ofService
                    .entrySet()
                    .removeIf(entry -> !now.isBefore(entry.getValue().expiry())
                            && isMissing(entry.getValue().generation(), shown.get(entry.getKey())));
            return ofService.entrySet().stream()
                    .anyMatch(entry -> isMissing(entry.getValue().generation(), shown.get(entry.getKey())));
        } finally {
            lock.unlock();
        }
    }

    private static boolean isMissing(long written, @Nullable Long shown) {
        return written == DELETED ? shown != null : shown == null || shown < written;
    }

    /** Returns whether the slice is not what the controller wrote, so its service must be synced. */
    boolean isNews(ObjectName service, EndpointSlice slice) {
        lock.lock();
        try {
            Written own =
                    written.getOrDefault(service, Map.of()).get(slice.metadata().uid());
            return own == null || slice.metadata().generation() > own.generation();
        } finally {
            lock.unlock();
        }
    }

    /** Records the deletion of a slice; returns whether another client deleted it. */
    boolean isLoss(ObjectName service, EndpointSlice slice) {
        lock.lock();
        try {
            Map<String, Written> ofService = written.get(service);
            Written own =
                    ofService == null ? null : ofService.remove(slice.metadata().uid());
            return own == null || own.generation() != DELETED;
        } finally {
            lock.unlock();
        }
    }

    /** Drops the record of a service that has no slices of this controller any more. */
    void forget(ObjectName service) {
        lock.lock();
        try {
            written.remove(service);
        } finally {
            lock.unlock();
        }
    }
}
