/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.replicaset;

import io.kubeloop.api.ObjectName;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/** Remaining time of a fixed interval since the last event, per owner. Thread-safe. */
final class PerOwnerThrottle {

    // No lock: one concurrent map; each call reads or writes one entry once.
    private final ConcurrentMap<ObjectName, Instant> beginnings = new ConcurrentHashMap<>();
    private final Duration length;
    private final Clock clock;

    /**
     * Creates a throttle without a running interval.
     *
     * @param length the length of each interval; zero disables the throttle
     * @param clock measures the intervals
     */
    PerOwnerThrottle(Duration length, Clock clock) {
        this.length = length;
        this.clock = clock;
    }

    /** Starts the owner's interval, or restarts it. */
    void begin(ObjectName key) {
        if (!length.isZero()) {
            beginnings.put(key, clock.instant());
        }
    }

    /** Returns the remaining time of the owner's interval; zero if it has passed or was not started. */
    Duration left(ObjectName key) {
        Instant beginning = beginnings.get(key);
        if (beginning == null) {
            return Duration.ZERO;
        }
        Duration passed = Duration.between(beginning, clock.instant());
        return passed.compareTo(length) >= 0 ? Duration.ZERO : length.minus(passed);
    }

    /** Removes the owner's interval. */
    void end(ObjectName key) {
        beginnings.remove(key);
    }
}
