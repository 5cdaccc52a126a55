/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.daemonset;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * Delays between the replacements of failed pods of a node, so a node that rejects pods does not get one after the
 * other (upstream: {@code flowcontrol.Backoff}). Each delay is twice the one before. Thread-safe; does not block.
 */
final class FailedPodBackoff {

    private static final Duration FIRST = Duration.ofSeconds(1);
    private static final Duration LONGEST = Duration.ofMinutes(15);

    /** A key without a failure for this time starts again. */
    private static final Duration MEMORY = LONGEST.multipliedBy(2);

    private record Entry(Instant last, Duration delay) {

        private boolean isExpired(Instant now) {
            return Duration.between(last, now).compareTo(MEMORY) > 0;
        }
    }

    private final ConcurrentMap<String, Entry> entries = new ConcurrentHashMap<>();
    private final Clock clock;

    /** Creates an empty backoff; the clock measures the delays. */
    FailedPodBackoff(Clock clock) {
        this.clock = clock;
    }

    /**
     * Tries to begin a replacement.
     *
     * @return zero if it may begin now; the next must wait. Otherwise the delay after which to try again
     */
    Duration tryBegin(String key) {
        Instant now = clock.instant();
        entries.values().removeIf(entry -> entry.isExpired(now));
        Entry before = entries.get(key);
        if (before != null && Duration.between(before.last(), now).compareTo(before.delay()) < 0) {
            return before.delay();
        }
        Duration doubled = before == null ? FIRST : before.delay().multipliedBy(2);
        entries.put(key, new Entry(now, doubled.compareTo(LONGEST) > 0 ? LONGEST : doubled));
        return Duration.ZERO;
    }
}
