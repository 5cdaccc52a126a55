package io.kubeloop.controller.replicaset;

import io.kubeloop.api.ObjectName;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/** How much is left, for each owner, of the same time since something happened to it last. Thread-safe. */
final class PerOwnerThrottle {

    // No lock: one concurrent map, of which each call reads or writes one entry, once.
    private final ConcurrentMap<ObjectName, Instant> beginnings = new ConcurrentHashMap<>();
    private final Duration length;
    private final Clock clock;

    /**
     * Makes intervals, none of which has begun.
     *
     * @param length of each; zero for none at all
     */
    PerOwnerThrottle(Duration length, Clock clock) {
        this.length = length;
        this.clock = clock;
    }

    /** Begins the owner's interval, anew if it has begun. */
    void begin(ObjectName key) {
        if (!length.isZero()) {
            beginnings.put(key, clock.instant());
        }
    }

    /** Returns what is left of the owner's interval; zero if it is over, or has not begun. */
    Duration left(ObjectName key) {
        Instant beginning = beginnings.get(key);
        if (beginning == null) {
            return Duration.ZERO;
        }
        Duration passed = Duration.between(beginning, clock.instant());
        return passed.compareTo(length) >= 0 ? Duration.ZERO : length.minus(passed);
    }

    /** Ends the owner's interval. */
    void end(ObjectName key) {
        beginnings.remove(key);
    }
}
