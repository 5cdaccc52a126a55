/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.events.correlation;

import io.kubeloop.api.core.Event;
import io.kubeloop.controller.events.EventCorrelatorOptions;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * Limits the events about one object: a burst at once, then one at a time (upstream: {@code
 * EventSourceObjectSpamFilter}). Confined to the broadcaster's thread.
 */
public final class EventSpamFilter {

    /** The longest refill time, about a century: a burst's multiple of it still fits a duration. */
    private static final Duration LONGEST_REFILL = Duration.ofDays(36_500);

    private final Clock clock;
    private final Duration refill;
    private final Duration fullCredit;
    private final LruCache<List<String>, Bucket> buckets;

    public EventSpamFilter(EventCorrelatorOptions options, Clock clock) {
        this.clock = clock;
        this.refill = options.spamRefill().compareTo(LONGEST_REFILL) < 0 ? options.spamRefill() : LONGEST_REFILL;
        this.fullCredit = refill.multipliedBy(options.spamBurst());
        this.buckets = new LruCache<>(options.cacheSize());
    }

    /** Credit in units of time, not of events, so additions are exact. */
    private static final class Bucket {

        private Duration credit;
        private Instant since;

        Bucket(Duration credit, Instant since) {
            this.credit = credit;
            this.since = since;
        }

        void fill(Instant now, Duration full) {
            // A wall clock that was set back neither adds nor removes credit.
            if (now.isAfter(since)) {
                Duration more = credit.plus(Duration.between(since, now));
                credit = more.compareTo(full) < 0 ? more : full;
            }
            since = now;
        }
    }

    /** Returns whether the event exceeds the limit; otherwise takes one event's credit. */
    public boolean isSpam(Event event) {
        Instant now = clock.instant();
        Bucket bucket = buckets.computeIfAbsent(EventKeys.origin(event), key -> new Bucket(fullCredit, now));
        bucket.fill(now, fullCredit);
        if (bucket.credit.compareTo(refill) < 0) {
            return true;
        }
        bucket.credit = bucket.credit.minus(refill);
        return false;
    }
}
