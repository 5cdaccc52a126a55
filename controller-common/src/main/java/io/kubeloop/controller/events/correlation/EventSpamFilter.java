package io.kubeloop.controller.events.correlation;

import io.kubeloop.api.core.Event;
import io.kubeloop.controller.events.EventCorrelatorOptions;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * Lets through so many events about one object at once, and then one from time to time (upstream:
 * {@code EventSourceObjectSpamFilter}, EV-14). Confined to the writer's thread.
 */
public final class EventSpamFilter {

    /** A century, for those who want no other event: so many of these as there are in a burst can be told. */
    private static final Duration LONGEST_REFILL = Duration.ofDays(36_500);

    private final EventCorrelatorOptions options;
    private final Clock clock;
    private final Duration refill;
    private final Duration fullCredit;
    private final LruCache<List<String>, Bucket> buckets;

    public EventSpamFilter(EventCorrelatorOptions options, Clock clock) {
        this.options = options;
        this.clock = clock;
        this.refill = options.spamRefill().compareTo(LONGEST_REFILL) < 0 ? options.spamRefill() : LONGEST_REFILL;
        this.fullCredit = refill.multipliedBy(options.spamBurst());
        this.buckets = new LruCache<>(options.cacheSize());
    }

    /** Counts time, not fractions of an event: ten times a tenth of the time for one is exactly that time. */
    private static final class Bucket {

        private Duration credit;
        private Instant since;

        Bucket(Duration credit, Instant since) {
            this.credit = credit;
            this.since = since;
        }

        void fill(Instant now, Duration full) {
            // A wall clock that was set back gives nothing, and takes nothing.
            if (now.isAfter(since)) {
                Duration more = credit.plus(Duration.between(since, now));
                credit = more.compareTo(full) < 0 ? more : full;
            }
            since = now;
        }
    }

    /** Returns whether the event is one too many. */
    public boolean isSpam(Event event) {
        Instant now = clock.instant();
        Bucket bucket = buckets.computeIfAbsent(
                EventKeys.origin(event, options.spamPerType()), key -> new Bucket(fullCredit, now));
        bucket.fill(now, fullCredit);
        if (bucket.credit.compareTo(refill) < 0) {
            return true;
        }
        bucket.credit = bucket.credit.minus(refill);
        return false;
    }
}
