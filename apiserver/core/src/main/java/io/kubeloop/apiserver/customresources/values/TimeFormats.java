/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.customresources.values;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import io.kubeloop.api.value.GoDuration;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.List;
import java.util.Locale;

/** Formats of dates and durations (upstream: {@code strfmt}). Static functions only. */
final class TimeFormats {

    private static final Pattern DATE = Pattern.compile("(\\d{4})-(\\d{2})-(\\d{2})");
    private static final Pattern TIME =
            Pattern.compile("([0-9]{2}):([0-9]{2}):([0-9]{2})(.[0-9]+)?(z|([+-][0-9]{2}:[0-9]{2}))");

    private static final Pattern PART = Pattern.compile("(\\d+)\\s*([A-Za-z\u00b5]+)");

    /** The names of the units of a duration. The last name of each unit is a prefix: longer names are accepted too. */
    private static final List<List<String>> UNITS = List.of(
            List.of("ns", "nano"),
            List.of("us", "\u00b5s", "micro"),
            List.of("ms", "milli"),
            List.of("s", "sec"),
            List.of("m", "min"),
            List.of("h", "hr", "hour"),
            List.of("d", "day"),
            List.of("w", "wk", "week"));

    private TimeFormats() {}

    static boolean isDate(String text) {
        Matcher date = DATE.matcher(text);
        if (!date.matches()) {
            return false;
        }
        try {
            var unused = LocalDate.of(number(date, 1), number(date, 2), number(date, 3));
            return true;
        } catch (DateTimeException e) {
            return false;
        }
    }

    private static int number(Matcher matcher, int group) {
        return Integer.parseInt(matcher.group(group));
    }

    static boolean isDateTime(String text) {
        String[] parts = text.toLowerCase(Locale.ROOT).split("t", -1);
        if (text.length() < 4 || parts.length < 2 || !isDate(parts[0])) {
            return false;
        }
        Matcher time = TIME.matcher(parts[1]);
        return time.matches() && number(time, 1) <= 23 && number(time, 2) <= 59 && number(time, 3) <= 59;
    }

    /** Returns whether the text contains a duration, such as {@code 1h30m} or {@code 5 minutes}. */
    static boolean isDuration(String text) {
        if (GoDuration.problem(text) == null) {
            return true;
        }
        boolean found = false;
        Matcher part = PART.matcher(text);
        while (part.find()) {
            if (part.group(1).length() > 18) {
                return false;
            }
            String unit = part.group(2).toLowerCase(Locale.ROOT);
            found |= UNITS.stream()
                    .anyMatch(names -> names.contains(unit) || unit.startsWith(names.get(names.size() - 1)));
        }
        return found;
    }
}
