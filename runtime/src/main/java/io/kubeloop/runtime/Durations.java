package io.kubeloop.runtime;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Converts durations to numbers. A duration that does not fit into 64 bits of nanoseconds becomes 292 years, the
 * longest that does.
 */
public final class Durations {

    private Durations() {}

    /**
     * Returns the nanoseconds, at most {@link Long#MAX_VALUE}. The sum of this number and a {@code nanoTime} may
     * overflow, which is correct if such times are compared by their difference.
     */
    public static long nanos(Duration duration) {
        return TimeUnit.NANOSECONDS.convert(duration);
    }

    /** Returns the shorter of the two. */
    public static Duration least(Duration one, Duration other) {
        return one.compareTo(other) <= 0 ? one : other;
    }

    /** Returns the whole milliseconds, at most {@link Long#MAX_VALUE}. */
    public static long millis(Duration duration) {
        return TimeUnit.MILLISECONDS.convert(duration);
    }
}
