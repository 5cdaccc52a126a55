/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.runtime;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Durations as numbers. A duration that does not fit becomes the longest that does, 292 years. */
public final class Durations {

    /** About 146 years. Times that are at most this far apart can be compared by difference without overflow. */
    private static final long LONGEST_DELAY = Long.MAX_VALUE / 2;

    private Durations() {}

    /**
     * Returns the nanoseconds, at most {@link Long#MAX_VALUE}. Added to a {@code nanoTime}, the sum may overflow; that
     * is correct as long as such times are compared by their difference.
     */
    public static long nanos(Duration duration) {
        return TimeUnit.NANOSECONDS.convert(duration);
    }

    /**
     * Returns the nanoseconds of a delay: zero or more, and at most 146 years, so {@link Scheduler#scheduleAt}
     * accepts the sum.
     */
    public static long delayNanos(Duration delay) {
        return Math.max(0, Math.min(nanos(delay), LONGEST_DELAY));
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
