/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Parses RFC 3339 times like an API server: capital letters, seconds and the minutes of the offset are required. Like
 * Go's parser it also accepts an hour of one digit, a comma before the fraction, more than nine fraction digits, and
 * offsets of up to 24:60.
 */
final class Rfc3339 {

    /** The JDK's parsers accept more, such as {@code 2026-01-31t08:15z}. */
    private static final Pattern FORM = Pattern.compile(
            "(\\d{4}-\\d{2}-\\d{2}T)(\\d{1,2})(:\\d{2}:\\d{2})(?:[.,](\\d+))?(?:Z|([+-])(\\d{2}):(\\d{2}))");

    private static final int NANO_DIGITS = 9;
    private static final int MAX_YEAR = 9999;

    private Rfc3339() {}

    /**
     * Returns the point in time. Fractions of a nanosecond are dropped.
     *
     * @throws IllegalArgumentException if the text is not such a time, or its year in UTC does not have four digits
     */
    static Instant parse(String text) {
        Matcher form = FORM.matcher(text);
        if (!form.matches()) {
            throw refused(text, null);
        }
        try {
            String hour = form.group(2);
            LocalDateTime local =
                    LocalDateTime.parse(form.group(1) + (hour.length() == 1 ? "0" + hour : hour) + form.group(3));
            LocalDateTime utc = local.plusNanos(nanos(form.group(4))).minusMinutes(offset(form));
            if (utc.getYear() < 0 || utc.getYear() > MAX_YEAR) {
                throw refused(text, null);
            }
            return utc.toInstant(ZoneOffset.UTC);
        } catch (DateTimeException e) {
            throw refused(text, e);
        }
    }

    private static int nanos(@Nullable String fraction) {
        return fraction == null ? 0 : Integer.parseInt((fraction + "0".repeat(NANO_DIGITS)).substring(0, NANO_DIGITS));
    }

    private static int offset(Matcher form) {
        String sign = form.group(5);
        if (sign == null) {
            return 0;
        }
        int hours = Integer.parseInt(form.group(6));
        int minutes = Integer.parseInt(form.group(7));
        if (hours > 24 || minutes > 60) {
            throw new DateTimeException("offset " + sign + hours + ":" + minutes);
        }
        int offset = hours * 60 + minutes;
        return sign.equals("-") ? -offset : offset;
    }

    private static IllegalArgumentException refused(String text, @Nullable Exception cause) {
        return new IllegalArgumentException("not an RFC 3339 time: \"" + text + "\"", cause);
    }
}
