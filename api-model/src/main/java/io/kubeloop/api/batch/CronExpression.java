/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.batch;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * The five fields of a schedule, without names such as {@code @daily} and without a time zone (upstream: {@code
 * robfig/cron.ParseStandard}). The API server validates schedules with it, and the controller computes times.
 *
 * @param minute 0 to 59
 * @param hour 0 to 23
 * @param dayOfMonth 1 to 31
 * @param month 1 to 12
 * @param dayOfWeek 0 (Sunday) to 6
 */
public record CronExpression(Field minute, Field hour, Field dayOfMonth, Field month, Field dayOfWeek) {

    /**
     * The values of one field.
     *
     * @param bits bit n is set for the value n
     * @param isStar whether the field is {@code *} or {@code ?}: it then does not restrict the days
     */
    public record Field(long bits, boolean isStar) {

        private static final Field NONE = new Field(0, false);

        private static Field of(int first, int last, int step, boolean isStar) {
            long bits = 0;
            for (long value = first; value <= last; value += step) {
                bits |= 1L << value;
            }
            return new Field(bits, isStar);
        }

        private Field or(Field other) {
            return new Field(bits | other.bits, isStar || other.isStar);
        }

        /** Returns whether the field allows this value, 0 to 59. */
        public boolean has(int value) {
            return (bits >>> value & 1) != 0;
        }
    }

    /** The lowest and the highest value of a field, and the names of values from the lowest on. */
    private record Unit(int least, int most, List<String> names) {}

    private static final List<Unit> UNITS = List.of(
            new Unit(0, 59, List.of()),
            new Unit(0, 23, List.of()),
            new Unit(1, 31, List.of()),
            new Unit(
                    1, 12, List.of("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")),
            new Unit(0, 6, List.of("sun", "mon", "tue", "wed", "thu", "fri", "sat")));

    /**
     * Reads the fields, separated by blanks.
     *
     * @throws IllegalArgumentException if the text has another form; the message is upstream's, because events and
     *     answers contain it
     */
    public static CronExpression parse(String text) {
        List<String> fields = Stream.of(text.strip().split("\\s+"))
                .filter(field -> !field.isEmpty())
                .toList();
        if (fields.size() != UNITS.size()) {
            throw new IllegalArgumentException("expected exactly " + UNITS.size() + " fields, found " + fields.size()
                    + ": [" + String.join(" ", fields) + "]");
        }
        Field[] parsed = new Field[UNITS.size()];
        for (int i = 0; i < parsed.length; i++) {
            parsed[i] = field(fields.get(i), UNITS.get(i));
        }
        return new CronExpression(parsed[0], parsed[1], parsed[2], parsed[3], parsed[4]);
    }

    private static Field field(String text, Unit unit) {
        Field field = Field.NONE;
        for (String range : text.split(",", -1)) {
            if (!range.isEmpty()) {
                field = field.or(range(range, unit));
            }
        }
        return field;
    }

    private static Field range(String text, Unit unit) {
        String[] rangeAndStep = text.split("/", -1);
        String[] limits = rangeAndStep[0].split("-", -1);
        boolean isStar = limits[0].equals("*") || limits[0].equals("?");
        int first = unit.least();
        int last = unit.most();
        if (!isStar) {
            first = value(limits[0], unit);
            last = limits.length == 1 ? first : value(limits[1], unit);
            if (limits.length > 2) {
                throw new IllegalArgumentException("too many hyphens: " + text);
            }
        }
        int step = 1;
        if (rangeAndStep.length == 2) {
            step = number(rangeAndStep[1]);
            last = limits.length == 1 ? unit.most() : last;
        } else if (rangeAndStep.length > 2) {
            throw new IllegalArgumentException("too many slashes: " + text);
        }
        check(first >= unit.least(), "beginning of range", first, "below minimum", unit.least(), text);
        check(last <= unit.most(), "end of range", last, "above maximum", unit.most(), text);
        check(first <= last, "beginning of range", first, "beyond end of range", last, text);
        if (step == 0) {
            throw new IllegalArgumentException("step of range should be a positive number: " + text);
        }
        return Field.of(first, last, step, isStar && step == 1);
    }

    private static void check(boolean holds, String what, int value, String relation, int limit, String text) {
        if (!holds) {
            throw new IllegalArgumentException(what + " (" + value + ") " + relation + " (" + limit + "): " + text);
        }
    }

    private static int value(String text, Unit unit) {
        int named = unit.names().indexOf(text.toLowerCase(Locale.ROOT));
        return named >= 0 ? unit.least() + named : number(text);
    }

    private static int number(String text) {
        if (!text.matches("[+-]?[0-9]{1,9}")) {
            throw new IllegalArgumentException(
                    "failed to parse int from " + text + ": strconv.Atoi: parsing \"" + text + "\": invalid syntax");
        }
        int number = Integer.parseInt(text);
        if (number < 0) {
            throw new IllegalArgumentException("negative number (" + number + ") not allowed: " + text);
        }
        return number;
    }
}
