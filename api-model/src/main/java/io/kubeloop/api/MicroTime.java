/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;

/**
 * A point in time with microsecond precision, written as RFC 3339 in UTC with six fraction digits (upstream:
 * {@code metav1.MicroTime}).
 *
 * @param instant the moment; fractions of a microsecond are dropped
 */
public record MicroTime(Instant instant) implements Comparable<MicroTime> {

    private static final DateTimeFormatter WRITTEN =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

    /** Drops fractions of a microsecond. */
    public MicroTime {
        instant = instant.truncatedTo(ChronoUnit.MICROS);
    }

    /**
     * Parses RFC 3339 with any offset and any number of fraction digits.
     *
     * @throws IllegalArgumentException if the text is not such a time
     */
    public static MicroTime parse(String text) {
        return new MicroTime(Rfc3339.parse(text));
    }

    @Override
    public int compareTo(MicroTime other) {
        return instant.compareTo(other.instant);
    }

    /** Returns the wire form, such as {@code 2026-01-31T08:15:00.000250Z}. */
    @Override
    public String toString() {
        return WRITTEN.format(instant);
    }
}
