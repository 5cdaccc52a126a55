package io.kubeloop.apiserver.kinds.validation.workload;

import io.kubeloop.apiserver.kinds.validation.FieldCursor;
import io.kubeloop.json.tree.JsonString;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Validation of CronJobs and of cron schedules (upstream: {@code pkg/apis/batch/validation}, {@code robfig/cron}). */
public final class CronRules {

    private static final Pattern ZONE_PART = Pattern.compile("[A-Za-z._0-9+][A-Za-z._0-9+-]{0,13}");
    private static final Set<String> DESCRIPTORS =
            Set.of("@yearly", "@annually", "@monthly", "@weekly", "@daily", "@midnight", "@hourly");
    private static final int MAX_NAME = 52;

    /** A field of a schedule: the lowest and the highest value, and the names of values from the lowest on. */
    private record Unit(int least, int most, List<String> names) {}

    private static final List<Unit> UNITS = List.of(
            new Unit(0, 59, List.of()),
            new Unit(0, 23, List.of()),
            new Unit(1, 31, List.of()),
            new Unit(
                    1, 12, List.of("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")),
            new Unit(0, 6, List.of("sun", "mon", "tue", "wed", "thu", "fri", "sat")));

    /** A schedule that cannot be read; the message is upstream's. */
    private static final class InvalidScheduleException extends Exception {

        private static final long serialVersionUID = 1L;

        InvalidScheduleException(String message) {
            super(message);
        }
    }

    private CronRules() {}

    /** Validates a CronJob. */
    public static void cronJob(FieldCursor cronJob) {
        FieldCursor spec = cronJob.at("spec");
        if (spec.at("schedule").require()) {
            schedule(spec.at("schedule"));
        }
        spec.at("startingDeadlineSeconds").nonNegative();
        spec.at("timeZone").ifSet(CronRules::zone);
        spec.at("concurrencyPolicy").requireOneOf(List.of("Allow", "Forbid", "Replace"));
        JobRules.template(spec.at("jobTemplate"));
        spec.at("successfulJobsHistoryLimit").nonNegative();
        spec.at("failedJobsHistoryLimit").nonNegative();
    }

    /** The controller adds a suffix of 11 characters to the names of jobs, which have at most 63. */
    public static void newCronJob(FieldCursor cronJob) {
        FieldCursor name = cronJob.at("metadata", "name");
        if (name.text().length() > MAX_NAME) {
            name.invalid("must be no more than " + MAX_NAME + " characters");
        }
    }

    private static void schedule(FieldCursor schedule) {
        String text = schedule.text();
        try {
            parse(text);
        } catch (InvalidScheduleException e) {
            schedule.invalid(Objects.requireNonNull(e.getMessage()));
        }
        if (text.contains("TZ")) {
            schedule.invalid("cannot use TZ or CRON_TZ in schedule, use timeZone field instead");
        }
    }

    private static void parse(String schedule) throws InvalidScheduleException {
        String rest = schedule;
        if (rest.startsWith("TZ=") || rest.startsWith("CRON_TZ=")) {
            int space = rest.indexOf(' ');
            if (space < 0) {
                throw new InvalidScheduleException(
                        "invalid schedule format: runtime error: slice bounds out of range [:-1]");
            }
            String zone = rest.substring(rest.indexOf('=') + 1, space);
            if (!isZone(zone)) {
                throw new InvalidScheduleException("provided bad location " + zone + ": unknown time zone " + zone);
            }
            rest = rest.substring(space).strip();
        }
        if (rest.startsWith("@")) {
            if (!DESCRIPTORS.contains(rest) && !rest.matches("@every ([0-9.]+(ns|us|µs|ms|s|m|h))+")) {
                throw new InvalidScheduleException("unrecognized descriptor: " + rest);
            }
            return;
        }
        List<String> fields = Stream.of(rest.strip().split("\\s+"))
                .filter(field -> !field.isEmpty())
                .toList();
        if (fields.size() != UNITS.size()) {
            throw new InvalidScheduleException("expected exactly " + UNITS.size() + " fields, found " + fields.size()
                    + ": [" + String.join(" ", fields) + "]");
        }
        for (int i = 0; i < UNITS.size(); i++) {
            Unit unit = UNITS.get(i);
            for (String range : fields.get(i).split(",", -1)) {
                if (!range.isEmpty()) {
                    range(range, unit);
                }
            }
        }
    }

    private static void range(String expression, Unit unit) throws InvalidScheduleException {
        String[] rangeAndStep = expression.split("/", -1);
        String[] limits = rangeAndStep[0].split("-", -1);
        int start = unit.least();
        int end = unit.most();
        if (!limits[0].equals("*") && !limits[0].equals("?")) {
            start = number(limits[0], unit);
            end = limits.length == 1 ? start : number(limits[1], unit);
            if (limits.length > 2) {
                throw new InvalidScheduleException("too many hyphens: " + expression);
            }
        }
        int step = 1;
        if (rangeAndStep.length == 2) {
            step = number(rangeAndStep[1], null);
            end = limits.length == 1 ? unit.most() : end;
        } else if (rangeAndStep.length > 2) {
            throw new InvalidScheduleException("too many slashes: " + expression);
        }
        if (start < unit.least()) {
            throw new InvalidScheduleException(
                    "beginning of range (" + start + ") below minimum (" + unit.least() + "): " + expression);
        }
        if (end > unit.most()) {
            throw new InvalidScheduleException(
                    "end of range (" + end + ") above maximum (" + unit.most() + "): " + expression);
        }
        if (start > end) {
            throw new InvalidScheduleException(
                    "beginning of range (" + start + ") beyond end of range (" + end + "): " + expression);
        }
        if (step == 0) {
            throw new InvalidScheduleException("step of range should be a positive number: " + expression);
        }
    }

    private static int number(String text, @Nullable Unit unit) throws InvalidScheduleException {
        int named = unit == null ? -1 : unit.names().indexOf(text.toLowerCase(Locale.ROOT));
        if (named >= 0 && unit != null) {
            return unit.least() + named;
        }
        if (!text.matches("[+-]?[0-9]{1,9}")) {
            throw new InvalidScheduleException(
                    "failed to parse int from " + text + ": strconv.Atoi: parsing \"" + text + "\": invalid syntax");
        }
        int number = Integer.parseInt(text);
        if (number < 0) {
            throw new InvalidScheduleException("negative number (" + number + ") not allowed: " + text);
        }
        return number;
    }

    private static void zone(FieldCursor zone) {
        String name = zone.text();
        if (name.isEmpty()) {
            zone.holding(new JsonString("")).invalid("timeZone must be nil or non-empty string");
            return;
        }
        boolean wellFormed = Arrays.stream(name.split("/", -1))
                .allMatch(part -> ZONE_PART.matcher(part).matches() && !part.equals(".") && !part.equals(".."));
        if (!wellFormed) {
            zone.invalid("unknown time zone " + name);
            return;
        }
        if (name.equalsIgnoreCase("Local")) {
            zone.invalid("timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones");
        }
        if (!isZone(name)) {
            zone.invalid("unknown time zone " + name);
        }
    }

    private static boolean isZone(String name) {
        return ZoneId.getAvailableZoneIds().contains(name)
                || Set.of("Local", "UTC", "EST", "MST", "HST").contains(name);
    }
}
