/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.replicaset;

import io.kubeloop.api.ResourceType;
import io.kubeloop.controller.ControllerExpectations;
import io.kubeloop.controller.UidTrackingControllerExpectations;
import java.time.Clock;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * Everything that a controller remembers about its owners between two syncs. Shared by handlers and workers; every part
 * is thread-safe.
 *
 * @param expectations the writes that the cache has not shown, by count
 * @param pending the created pods that the cache has not shown, by name
 * @param uids the UID of the owner that the memory of a key belongs to
 * @param createFailures the owners whose pod creations were all rejected a moment ago
 * @param stale receives the resource whose cache is behind when a sync begins
 */
record OwnerTracking(
        UidTrackingControllerExpectations expectations,
        PendingCreations pending,
        OwnerUidTracker uids,
        CreateFailureBackoff createFailures,
        Consumer<ResourceType<?>> stale) {

    /**
     * Creates an empty memory.
     *
     * @param failureInterval how long events of an owner wait after its creations were all rejected
     * @param counts the expectations by count
     * @param clock measures ages
     */
    static OwnerTracking of(
            ControllerExpectations counts, Duration failureInterval, Clock clock, Consumer<ResourceType<?>> stale) {
        UidTrackingControllerExpectations expectations = new UidTrackingControllerExpectations(counts);
        PendingCreations pending = new PendingCreations(clock);
        return new OwnerTracking(
                expectations,
                pending,
                new OwnerUidTracker(expectations, pending),
                new CreateFailureBackoff(failureInterval, clock),
                stale);
    }
}
