package io.kubeloop.workqueue;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.DoubleSupplier;

/**
 * A delay for each key that doubles with each failure, and starts over when the key was quiet for long (upstream:
 * {@code util/flowcontrol/backoff.go}). Thread-safe.
 *
 * <p>No method waits: the caller reads the delay, and whether it has passed. A key expires twice the maximum after
 * its last failure; what expired is removed by {@link #gc} only.
 *
 * @param <K> the type of the keys
 */
public final class Backoff<K> {

    // One lock guards the map; under it run only the keys' equals and hashCode, the clock and the random source.

    private record Entry(Duration delay, Instant updated) {}

    /** About 146 years: twice this, and this in nanoseconds, can be represented. */
    private static final Duration LONGEST = Duration.ofNanos(Long.MAX_VALUE / 2);

    private final Duration initial;
    private final Duration max;
    private final double jitter;
    private final Clock clock;
    private final DoubleSupplier random;
    private final ReentrantLock lock = new ReentrantLock();

    /** Guarded by lock. */
    private final Map<K, Entry> entries = new HashMap<>();

    /** Makes a backoff without jitter. */
    public Backoff(Duration initial, Duration max, Clock clock) {
        this(initial, max, 0, clock, () -> 0);
    }

    /**
     * Makes a backoff.
     *
     * @param initial the first delay; not cut to the maximum
     * @param max the longest delay
     * @param jitter which part of each delay is added to it at most, at random; 0 for none
     * @param random gives numbers from 0 (inclusive) to 1 (exclusive)
     */
    public Backoff(Duration initial, Duration max, double jitter, Clock clock, DoubleSupplier random) {
        if (initial.isNegative() || max.isNegative() || !(jitter >= 0)) {
            throw new IllegalArgumentException(
                    "no backoff has initial " + initial + ", max " + max + " and jitter " + jitter);
        }
        this.initial = atMostLongest(initial);
        this.max = atMostLongest(max);
        this.jitter = jitter;
        this.clock = Objects.requireNonNull(clock, "clock");
        this.random = Objects.requireNonNull(random, "random");
    }

    private static Duration atMostLongest(Duration delay) {
        return delay.compareTo(LONGEST) < 0 ? delay : LONGEST;
    }

    /** Returns the current delay of the key; zero if it never failed. */
    public Duration get(K key) {
        lock.lock();
        try {
            Entry entry = entries.get(key);
            return entry == null ? Duration.ZERO : entry.delay;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Counts a failure: the delay of the key doubles, or starts at the initial one.
     *
     * @param eventTime when it failed; decides whether the key had expired
     */
    public void next(K key, Instant eventTime) {
        lock.lock();
        try {
            Entry entry = entries.get(key);
            Duration delay;
            if (entry == null || expired(entry, eventTime)) {
                delay = initial.plus(jitter(initial));
            } else {
                delay = entry.delay.multipliedBy(2).plus(jitter(entry.delay));
                delay = delay.compareTo(max) > 0 ? max : delay;
            }
            entries.put(key, new Entry(delay, clock.instant()));
        } finally {
            lock.unlock();
        }
    }

    private Duration jitter(Duration delay) {
        return Duration.ofNanos((long) (random.getAsDouble() * jitter * TimeUnit.NANOSECONDS.convert(delay)));
    }

    /** Forgets the key. */
    public void reset(K key) {
        lock.lock();
        try {
            entries.remove(key);
        } finally {
            lock.unlock();
        }
    }

    /** Returns whether less time than the key's delay has passed since the event. */
    public boolean isInBackOffSince(K key, Instant eventTime) {
        lock.lock();
        try {
            Entry entry = entries.get(key);
            return entry != null
                    && !expired(entry, eventTime)
                    && Duration.between(eventTime, clock.instant()).compareTo(entry.delay) < 0;
        } finally {
            lock.unlock();
        }
    }

    /** Returns whether the event came within the key's delay after its last failure. */
    public boolean isInBackOffSinceUpdate(K key, Instant eventTime) {
        lock.lock();
        try {
            Entry entry = entries.get(key);
            return entry != null
                    && !expired(entry, eventTime)
                    && Duration.between(entry.updated, eventTime).compareTo(entry.delay) < 0;
        } finally {
            lock.unlock();
        }
    }

    /** Forgets the keys that expired. O(n). */
    public void gc() {
        lock.lock();
        try {
            Instant now = clock.instant();
            entries.values().removeIf(entry -> expired(entry, now));
        } finally {
            lock.unlock();
        }
    }

    private boolean expired(Entry entry, Instant eventTime) {
        return Duration.between(entry.updated, eventTime).compareTo(max.multipliedBy(2)) > 0;
    }
}
