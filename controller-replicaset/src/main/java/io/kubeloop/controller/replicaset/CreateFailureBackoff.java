/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.replicaset;

import io.kubeloop.api.ObjectName;
import java.time.Clock;
import java.time.Duration;

/**
 * Backoff before the next sync of an owner whose pod creations were all rejected, for example by a quota. Upstream
 * tries again at each event, and there are many: each pod that starts, each status that it writes itself. They do not
 * change the reason of the rejection, and each costs the server a request. Retries of the work queue are not delayed.
 *
 * <p>Thread-safe.
 */
final class CreateFailureBackoff {

    // No lock. The worker that syncs a key starts and removes its interval; handlers' threads read the remaining
    // time.
    private final PerOwnerThrottle sinceRefused;

    /**
     * Creates a backoff.
     *
     * @param interval the longest delay of an event after a rejection; zero disables the backoff
     */
    CreateFailureBackoff(Duration interval, Clock clock) {
        sinceRefused = new PerOwnerThrottle(interval, clock);
    }

    /** Returns the delay of an event about this owner; zero if it must be handled now. */
    Duration hold(ObjectName key) {
        return sinceRefused.left(key);
    }

    /** Records that all pod creations were rejected. */
    void refused(ObjectName key) {
        sinceRefused.begin(key);
    }

    /** Records that a creation succeeded, or that the owner no longer exists. */
    void forget(ObjectName key) {
        sinceRefused.end(key);
    }
}
