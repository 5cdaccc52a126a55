/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.cel.value;

import io.kubeloop.api.Time;
import io.kubeloop.json.gotext.GoNumbers;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Times as Go's {@code time} reads them, and the texts of times and durations in CEL. Static functions only.
 */
public final class GoTimes {

    private static final Instant FIRST = Instant.parse("0001-01-01T00:00:00Z");
    private static final Instant LAST = Instant.parse("9999-12-31T23:59:59.999999999Z");
    private static final long NANOS = 1_000_000_000;

    private GoTimes() {}

    /** Returns the seconds of a duration, such as {@code 1.5s}. */
    public static String text(Duration duration) {
        long nanos = duration.toNanos();
        long seconds = nanos / NANOS;
        return GoNumbers.plain(seconds + (double) (nanos % NANOS) / NANOS) + "s";
    }

    /** Returns a time in RFC 3339; null if the text is none, or not in the years 1 to 9999. */
    public static @Nullable Instant timestamp(String text) {
        try {
            Instant time = Time.exactly(text);
            return isValid(time) ? time : null;
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    /** Returns the time so many seconds after 1970; null if it is not in the years 1 to 9999. */
    public static @Nullable Instant ofSeconds(long seconds) {
        boolean isKnown = seconds >= FIRST.getEpochSecond() && seconds <= LAST.getEpochSecond();
        return isKnown ? Instant.ofEpochSecond(seconds) : null;
    }

    /** Returns whether a time is in the years 1 to 9999. */
    public static boolean isValid(Instant time) {
        return !time.isBefore(FIRST) && !time.isAfter(LAST);
    }

    /** Returns a time in RFC 3339, with as many digits of the fraction as it needs. */
    public static String text(Instant time) {
        String text = time.toString();
        int end = text.length() - 1;
        while (text.indexOf('.') >= 0 && text.charAt(end - 1) == '0') {
            end--;
        }
        return text.substring(0, end) + "Z";
    }
}
