package io.kubeloop.controller.events;

import io.kubeloop.api.Event;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * Lets through so many events about one object at once, and then one from time to time (upstream:
 * {@code EventSourceObjectSpamFilter}, EV-14). Confined to the writer's thread.
 */
final class EventSpamFilter {

    private final EventCorrelatorOptions options;
    private final Clock clock;
    private final LruCache<List<String>, Bucket> buckets;

    EventSpamFilter(EventCorrelatorOptions options, Clock clock) {
        this.options = options;
        this.clock = clock;
        this.buckets = new LruCache<>(options.cacheSize());
    }

    private static final class Bucket {

        private double tokens;
        private Instant filled;

        Bucket(double tokens, Instant filled) {
            this.tokens = tokens;
            this.filled = filled;
        }
    }

    /** Returns whether the event is one too many. */
    boolean isSpam(Event event) {
        Instant now = clock.instant();
        Bucket bucket = buckets.computeIfAbsent(
                EventKeys.origin(event, options.spamPerType()), key -> new Bucket(options.spamBurst(), now));
        double gained = (double) Duration.between(bucket.filled, now).toNanos()
                / options.spamRefill().toNanos();
        bucket.tokens = Math.min(options.spamBurst(), bucket.tokens + Math.max(0, gained));
        bucket.filled = now;
        if (bucket.tokens < 1) {
            return true;
        }
        bucket.tokens--;
        return false;
    }
}
