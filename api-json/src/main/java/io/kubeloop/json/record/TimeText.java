/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.json.record;

import io.kubeloop.api.Time;
import java.time.Instant;
import java.time.YearMonth;

/** Reads the one form of time that API servers write, {@code 2026-01-31T08:15:00Z}, without making a string. */
final class TimeText {

    /** The result for a text of another form, which may still be a valid time. */
    static final long OTHER = Long.MIN_VALUE;

    /** The first second of the year 1, which is Go's zero time. */
    static final long ZERO = -62_135_596_800L;

    private static final String FORM = "0000-00-00T00:00:00Z";
    private static final int SECONDS_PER_DAY = 86_400;

    private TimeText() {}

    static Time time(long epochSecond) {
        return new Time(Instant.ofEpochSecond(epochSecond));
    }

    /** Returns the seconds since 1970, or {@link #OTHER}. */
    static long epochSecond(byte[] text, int from, int to) {
        if (to - from != FORM.length()) {
            return OTHER;
        }
        for (int i = 0; i < FORM.length(); i++) {
            byte c = text[from + i];
            if (FORM.charAt(i) == '0' ? c < '0' || c > '9' : c != FORM.charAt(i)) {
                return OTHER;
            }
        }
        int year = two(text, from) * 100 + two(text, from + 2);
        int month = two(text, from + 5);
        int day = two(text, from + 8);
        int hour = two(text, from + 11);
        int minute = two(text, from + 14);
        int second = two(text, from + 17);
        if (month < 1 || month > 12 || day < 1 || hour > 23 || minute > 59 || second > 59) {
            return OTHER;
        }
        if (day > 28 && day > YearMonth.of(year, month).lengthOfMonth()) {
            return OTHER;
        }
        return epochDay(year, month, day) * SECONDS_PER_DAY + hour * 3600L + minute * 60L + second;
    }

    private static int two(byte[] text, int at) {
        return (text[at] - '0') * 10 + text[at + 1] - '0';
    }

    /** Counts days in years that begin with March, so the leap day is the last of its year. */
    private static long epochDay(int year, int month, int day) {
        long years = month < 3 ? year - 1L : year;
        int monthsSinceMarch = (month + 9) % 12;
        long leapDays = Math.floorDiv(years, 4) - Math.floorDiv(years, 100) + Math.floorDiv(years, 400);
        long dayOfYear = (153L * monthsSinceMarch + 2) / 5 + day - 1;
        long daysFromMarchOfYear0To1970 = 719_468;
        return 365 * years + leapDays + dayOfYear - daysFromMarchOfYear0To1970;
    }
}
