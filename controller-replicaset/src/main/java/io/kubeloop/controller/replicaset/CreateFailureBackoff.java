package io.kubeloop.controller.replicaset;

import io.kubeloop.api.ObjectName;
import java.time.Clock;
import java.time.Duration;

/**
 * Decides how long an event about an owner waits that was just refused every pod it asked for, as by a quota. Upstream tries again
 * with each event, and there are many: each pod that comes up, each status that it writes itself. They do not change what was
 * refused, and each costs the server one more request; what comes of itself, the next try after a backoff, is not held up.
 *
 * <p>Thread-safe.
 */
final class CreateFailureBackoff {

    // No lock. An interval is begun and ended by the worker that syncs its key; handlers' threads ask what is left of
    // it.
    private final PerOwnerThrottle sinceRefused;

    /**
     * Makes a pace.
     *
     * @param interval how long after a refusal the next event may have to wait; zero for not at all
     */
    CreateFailureBackoff(Duration interval, Clock clock) {
        sinceRefused = new PerOwnerThrottle(interval, clock);
    }

    /** Returns how long an event about this owner is to wait; zero if it is to be looked at now. */
    Duration hold(ObjectName key) {
        return sinceRefused.left(key);
    }

    /** Takes note that every pod was refused just now. */
    void refused(ObjectName key) {
        sinceRefused.begin(key);
    }

    /** Takes note that this owner was not refused, or is gone. */
    void forget(ObjectName key) {
        sinceRefused.end(key);
    }
}
