package io.kubeloop.controller.job.cron;

import io.kubeloop.api.GoDuration;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** Reads schedules (upstream: {@code robfig/cron.ParseStandard}). Stateless. */
final class CronParser {

    /** One field of a schedule: the lowest and the highest value, and the names of values from the lowest on. */
    private record Unit(int least, int most, List<String> names) {}

    private static final List<Unit> UNITS = List.of(
            new Unit(0, 59, List.of()),
            new Unit(0, 23, List.of()),
            new Unit(1, 31, List.of()),
            new Unit(
                    1, 12, List.of("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")),
            new Unit(0, 6, List.of("sun", "mon", "tue", "wed", "thu", "fri", "sat")));

    private static final String EVERY = "@every ";

    private CronParser() {}

    static CronSchedule parse(String text, ZoneId local) {
        if (text.isEmpty()) {
            throw new CronSyntaxException("empty spec string");
        }
        String rest = text;
        ZoneId zone = local;
        if (text.startsWith("TZ=") || text.startsWith("CRON_TZ=")) {
            int space = text.indexOf(' ');
            if (space < 0) {
                // Upstream's parser fails in this way, and its caller reports it.
                throw new CronSyntaxException(
                        "invalid schedule format: runtime error: slice bounds out of range [:-1]");
            }
            zone = zone(text.substring(text.indexOf('=') + 1, space), local);
            rest = text.substring(space).strip();
        }
        return rest.startsWith("@") ? named(rest, zone) : fields(rest, zone);
    }

    private static ZoneId zone(String name, ZoneId local) {
        if (name.equals("Local")) {
            return local;
        }
        try {
            return name.isEmpty() ? ZoneOffset.UTC : ZoneId.of(name, ZoneId.SHORT_IDS);
        } catch (DateTimeException e) {
            throw new CronSyntaxException("provided bad location " + name + ": unknown time zone " + name);
        }
    }

    private static CronSchedule named(String name, ZoneId zone) {
        if (name.startsWith(EVERY)) {
            String duration = name.substring(EVERY.length());
            try {
                return new CronSchedule.Every(GoDuration.parse(duration));
            } catch (IllegalArgumentException e) {
                throw new CronSyntaxException(
                        "failed to parse duration " + name + ": time: invalid duration \"" + duration + "\"");
            }
        }
        return switch (name) {
            case "@yearly", "@annually" -> fields("0 0 1 1 *", zone);
            case "@monthly" -> fields("0 0 1 * *", zone);
            case "@weekly" -> fields("0 0 * * 0", zone);
            case "@daily", "@midnight" -> fields("0 0 * * *", zone);
            case "@hourly" -> fields("0 * * * *", zone);
            default -> throw new CronSyntaxException("unrecognized descriptor: " + name);
        };
    }

    private static CronSchedule fields(String text, ZoneId zone) {
        List<String> fields = Stream.of(text.strip().split("\\s+"))
                .filter(field -> !field.isEmpty())
                .toList();
        if (fields.size() != UNITS.size()) {
            throw new CronSyntaxException("expected exactly " + UNITS.size() + " fields, found " + fields.size() + ": ["
                    + String.join(" ", fields) + "]");
        }
        CronField[] parsed = new CronField[UNITS.size()];
        for (int i = 0; i < parsed.length; i++) {
            parsed[i] = field(fields.get(i), UNITS.get(i));
        }
        return new CronFields(parsed[0], parsed[1], parsed[2], parsed[3], parsed[4], zone);
    }

    private static CronField field(String text, Unit unit) {
        CronField field = CronField.NONE;
        for (String range : text.split(",", -1)) {
            if (!range.isEmpty()) {
                field = field.or(range(range, unit));
            }
        }
        return field;
    }

    private static CronField range(String text, Unit unit) {
        String[] rangeAndStep = text.split("/", -1);
        String[] limits = rangeAndStep[0].split("-", -1);
        boolean isStar = limits[0].equals("*") || limits[0].equals("?");
        int first = unit.least();
        int last = unit.most();
        if (!isStar) {
            first = value(limits[0], unit);
            last = limits.length == 1 ? first : value(limits[1], unit);
            if (limits.length > 2) {
                throw new CronSyntaxException("too many hyphens: " + text);
            }
        }
        int step = 1;
        if (rangeAndStep.length == 2) {
            step = number(rangeAndStep[1]);
            last = limits.length == 1 ? unit.most() : last;
        } else if (rangeAndStep.length > 2) {
            throw new CronSyntaxException("too many slashes: " + text);
        }
        check(first >= unit.least(), "beginning of range", first, "below minimum", unit.least(), text);
        check(last <= unit.most(), "end of range", last, "above maximum", unit.most(), text);
        check(first <= last, "beginning of range", first, "beyond end of range", last, text);
        if (step == 0) {
            throw new CronSyntaxException("step of range should be a positive number: " + text);
        }
        return CronField.of(first, last, step, isStar && step == 1);
    }

    private static void check(boolean holds, String what, int value, String relation, int limit, String text) {
        if (!holds) {
            throw new CronSyntaxException(what + " (" + value + ") " + relation + " (" + limit + "): " + text);
        }
    }

    private static int value(String text, Unit unit) {
        int named = unit.names().indexOf(text.toLowerCase(Locale.ROOT));
        return named >= 0 ? unit.least() + named : number(text);
    }

    private static int number(String text) {
        if (!text.matches("[+-]?[0-9]{1,9}")) {
            throw new CronSyntaxException(
                    "failed to parse int from " + text + ": strconv.Atoi: parsing \"" + text + "\": invalid syntax");
        }
        int number = Integer.parseInt(text);
        if (number < 0) {
            throw new CronSyntaxException("negative number (" + number + ") not allowed: " + text);
        }
        return number;
    }
}
