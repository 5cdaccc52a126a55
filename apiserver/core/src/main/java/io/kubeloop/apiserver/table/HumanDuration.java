/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.table;

import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;

/** Formats ages as kubectl does: at most two units, and fewer for long durations (upstream: {@code util/duration}). */
public final class HumanDuration {

    private HumanDuration() {}

    /** Returns the time since an API timestamp; {@code <unknown>} if it is absent or invalid. */
    public static String since(String timestamp, Instant now) {
        if (timestamp.isEmpty()) {
            return "<unknown>";
        }
        try {
            return format(Duration.between(Instant.parse(timestamp), now));
        } catch (DateTimeParseException e) {
            return "<unknown>";
        }
    }

    public static String format(Duration duration) {
        long seconds = duration.toSeconds();
        long minutes = seconds / 60;
        long hours = minutes / 60;
        long days = hours / 24;
        if (seconds < -1) {
            return "<invalid>";
        } else if (seconds < 0) {
            return "0s";
        } else if (seconds < 2 * 60) {
            return seconds + "s";
        } else if (minutes < 10) {
            return two(minutes, "m", seconds % 60, "s");
        } else if (hours < 3) {
            return minutes + "m";
        } else if (hours < 8) {
            return two(hours, "h", minutes % 60, "m");
        } else if (hours < 48) {
            return hours + "h";
        } else if (days < 8) {
            return two(days, "d", hours % 24, "h");
        } else if (days < 2 * 365) {
            return days + "d";
        } else if (days < 8 * 365) {
            return two(days / 365, "y", days % 365, "d");
        }
        return days / 365 + "y";
    }

    private static String two(long large, String largeUnit, long small, String smallUnit) {
        return small == 0 ? large + largeUnit : large + largeUnit + small + smallUnit;
    }
}
