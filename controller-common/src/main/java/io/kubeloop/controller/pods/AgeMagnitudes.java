/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.pods;

import io.kubeloop.api.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * Compares ages by their binary magnitudes, smaller ones first, and ages of one magnitude by UID. Equal times are
 * equal; an unknown time counts as just now (upstream: {@code logarithmicRankDiff}).
 *
 * @param now the time at which ages are measured
 */
record AgeMagnitudes(Instant now) implements Comparator<AgeMagnitudes.Since> {

    /** The start time of a pod's state, null if unknown, and the pod's UID. */
    record Since(@Nullable Time time, String uid) {}

    static final Comparator<Since> LATEST_OR_UNKNOWN_FIRST =
            Comparator.comparing(Since::time, Comparator.nullsFirst(Comparator.reverseOrder()));

    @Override
    public int compare(Since one, Since other) {
        Time time = one.time();
        Time otherTime = other.time();
        if (time == null || otherTime == null || time.equals(otherTime)) {
            return LATEST_OR_UNKNOWN_FIRST.compare(one, other);
        }
        int byMagnitude = Integer.compare(magnitude(time), magnitude(otherTime));
        return byMagnitude != 0 ? byMagnitude : one.uid().compareTo(other.uid());
    }

    /** Returns the binary logarithm of the age in nanoseconds, rounded down; -1 for a time in the future. */
    private int magnitude(Time time) {
        Duration age = Duration.between(time.instant(), now);
        if (age.isNegative() || age.isZero()) {
            return -1;
        }
        // Upstream's durations are limited to 292 years; an older age counts as 292 years.
        return age.compareTo(LONGEST) >= 0 ? Long.SIZE - 1 : Long.SIZE - 1 - Long.numberOfLeadingZeros(age.toNanos());
    }

    private static final Duration LONGEST = Duration.ofNanos(Long.MAX_VALUE);
}
