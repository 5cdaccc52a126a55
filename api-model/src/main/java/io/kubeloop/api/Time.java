/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;

/**
 * A point in time with second precision, written as RFC 3339 in UTC (upstream: {@code metav1.Time}).
 *
 * @param instant the moment; fractions of a second are dropped
 */
public record Time(Instant instant) implements Comparable<Time> {

    private static final DateTimeFormatter WRITTEN =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss'Z'").withZone(ZoneOffset.UTC);

    /** Drops fractions of a second. */
    public Time {
        instant = instant.truncatedTo(ChronoUnit.SECONDS);
    }

    /**
     * Parses RFC 3339 with any offset and any number of fraction digits.
     *
     * @throws IllegalArgumentException if the text is not such a time
     */
    public static Time parse(String text) {
        return new Time(exactly(text));
    }

    /**
     * Parses RFC 3339 as {@link #parse} does, and keeps the fraction up to the nanosecond.
     *
     * @throws IllegalArgumentException if the text is not such a time
     */
    public static Instant exactly(String text) {
        return Rfc3339.parse(text);
    }

    @Override
    public int compareTo(Time other) {
        return instant.compareTo(other.instant);
    }

    /** Returns the wire form, such as {@code 2026-01-31T08:15:00Z}. */
    @Override
    public String toString() {
        return WRITTEN.format(instant);
    }
}
