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
 * A delay per key that doubles with each failure, and starts again at the initial delay after a long time without failures
 * (upstream: {@code util/flowcontrol/backoff.go}). Thread-safe.
 *
 * <p>No method waits for a delay: the caller reads the delay, or whether it has passed. A key expires when twice the maximum
 * delay has passed since its last failure. Only {@link #gc} removes expired keys.
 *
 * @param <K> the type of the keys
 */
public final class Backoff<K> {

    // One lock guards the map. Under it run only equals and hashCode of the keys, the clock and the random source.

    private record Entry(Duration delay, Instant updated) {}

    /** About 146 years; even twice this duration fits into 64 bits in nanoseconds. */
    private static final Duration LONGEST = Duration.ofNanos(Long.MAX_VALUE / 2);

    private final Duration initial;
    private final Duration max;
    private final double jitter;
    private final Clock clock;
    private final DoubleSupplier random;
    private final ReentrantLock lock = new ReentrantLock();

    /** Guarded by lock. */
    private final Map<K, Entry> entries = new HashMap<>();

    /** Creates a backoff without jitter; see the other constructor. */
    public Backoff(Duration initial, Duration max, Clock clock) {
        this(initial, max, 0, clock, () -> 0);
    }

    /**
     * Creates a backoff.
     *
     * @param initial the first delay; must not be negative. The maximum does not limit it
     * @param max the longest delay after the first; must not be negative
     * @param jitter the largest random addition to each delay, as a fraction of it; must not be negative. 0 means none
     * @param clock the clock with which failures are recorded
     * @param random returns numbers from 0 (inclusive) to 1 (exclusive)
     * @throws IllegalArgumentException if a duration or the jitter is negative
     */
    public Backoff(Duration initial, Duration max, double jitter, Clock clock, DoubleSupplier random) {
        if (initial.isNegative() || max.isNegative() || !(jitter >= 0)) {
            throw new IllegalArgumentException(
                    "initial, max and jitter must not be negative, got " + initial + ", " + max + " and " + jitter);
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
     * Records a failure: the delay of the key doubles, or starts at the initial delay.
     *
     * @param eventTime the time of the failure, which determines whether the key had expired
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

    /** Removes the key, so its next failure starts at the initial delay. */
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

    /** Returns whether the event happened within the key's delay after its last failure. */
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

    /** Removes the expired keys. O(n). */
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
