/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.cel.value;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import io.kubeloop.json.gotext.GoNumbers;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;

/**
 * Times as Go's {@code time} reads them, and the texts of times and durations in CEL. Static functions only.
 */
public final class GoTimes {

    private static final Pattern TIMESTAMP =
            Pattern.compile("([0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2})(?:[.,]([0-9]+))?"
                    + "(?:Z|([+-])([0-9]{2}):([0-9]{2}))");

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
        Matcher matcher = TIMESTAMP.matcher(text);
        if (!matcher.matches()) {
            return null;
        }
        try {
            Instant local = LocalDateTime.parse(matcher.group(1)).toInstant(ZoneOffset.UTC);
            String fraction = matcher.group(2) == null ? "" : matcher.group(2);
            String nanos = (fraction + "000000000").substring(0, 9);
            Instant time = local.plusNanos(Integer.parseInt(nanos)).minusSeconds(offset(matcher));
            return isValid(time) ? time : null;
        } catch (DateTimeException e) {
            return null;
        }
    }

    /** Returns the seconds of the zone. */
    private static long offset(Matcher matcher) {
        if (matcher.group(3) == null) {
            return 0;
        }
        int hours = Integer.parseInt(matcher.group(4));
        int minutes = Integer.parseInt(matcher.group(5));
        if (hours > 24 || minutes >= 60) {
            throw new DateTimeException("no such zone");
        }
        return (matcher.group(3).equals("-") ? -60L : 60L) * (hours * 60L + minutes);
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
