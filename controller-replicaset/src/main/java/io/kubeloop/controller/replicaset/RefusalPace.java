package io.kubeloop.controller.replicaset;

import io.kubeloop.api.ObjectName;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * Decides how long an event about an owner waits that was just refused every pod it asked for, as by a quota. Upstream tries again
 * with each event, and there are many: each pod that comes up, each status that it writes itself. They do not change what was
 * refused, and each costs the server one more request; what comes of itself, the next try after a backoff, is not held up.
 *
 * <p>Thread-safe.
 */
final class RefusalPace {

    // No lock: one concurrent map. An entry is written by the worker that syncs its key; handlers' threads read it.
    private final ConcurrentMap<ObjectName, Instant> refused = new ConcurrentHashMap<>();
    private final Duration interval;
    private final Clock clock;

    /**
     * Makes a pace.
     *
     * @param interval how long after a refusal the next event may have to wait; zero for not at all
     */
    RefusalPace(Duration interval, Clock clock) {
        this.interval = interval;
        this.clock = clock;
    }

    /** Returns how long an event about this owner is to wait; zero if it is to be looked at now. */
    Duration hold(ObjectName key) {
        Instant last = refused.get(key);
        if (last == null) {
            return Duration.ZERO;
        }
        Duration passed = Duration.between(last, clock.instant());
        return passed.compareTo(interval) >= 0 ? Duration.ZERO : interval.minus(passed);
    }

    /** Takes note that every pod was refused just now. */
    void refused(ObjectName key) {
        if (!interval.isZero()) {
            refused.put(key, clock.instant());
        }
    }

    /** Takes note that this owner was not refused, or is gone. */
    void forget(ObjectName key) {
        refused.remove(key);
    }
}
