/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.validation.workload;

import com.google.re2j.Pattern;
import io.kubeloop.api.batch.CronExpression;
import io.kubeloop.api.value.GoDuration;
import io.kubeloop.apiserver.fielderrors.FieldCursor;
import io.kubeloop.json.tree.JsonString;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/** Validation of CronJobs and of cron schedules (upstream: {@code pkg/apis/batch/validation}, {@code robfig/cron}). */
public final class CronRules {

    private static final String EVERY = "@every ";
    private static final Pattern ZONE_PART = Pattern.compile("[A-Za-z._0-9+][A-Za-z._0-9+-]{0,13}");
    private static final Set<String> DESCRIPTORS =
            Set.of("@yearly", "@annually", "@monthly", "@weekly", "@daily", "@midnight", "@hourly");
    private static final int MAX_NAME = 52;

    private CronRules() {}

    /** Validates a CronJob. */
    public static void cronJob(FieldCursor cronJob) {
        FieldCursor spec = cronJob.at("spec");
        if (spec.at("schedule").declared().require()) {
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
        } catch (IllegalArgumentException e) {
            schedule.invalid(Objects.requireNonNull(e.getMessage()));
        }
        if (text.contains("TZ")) {
            schedule.invalid("cannot use TZ or CRON_TZ in schedule, use timeZone field instead");
        }
    }

    /** Throws IllegalArgumentException with upstream's message if the schedule cannot be read. */
    private static void parse(String schedule) {
        String rest = schedule;
        if (rest.startsWith("TZ=") || rest.startsWith("CRON_TZ=")) {
            int space = rest.indexOf(' ');
            if (space < 0) {
                throw new IllegalArgumentException(
                        "invalid schedule format: runtime error: slice bounds out of range [:-1]");
            }
            String zone = rest.substring(rest.indexOf('=') + 1, space);
            if (!isZone(zone)) {
                throw new IllegalArgumentException("provided bad location " + zone + ": unknown time zone " + zone);
            }
            rest = rest.substring(space).strip();
        }
        if (rest.startsWith("@")) {
            if (rest.startsWith(EVERY)) {
                String problem = GoDuration.problem(rest.substring(EVERY.length()));
                if (problem != null) {
                    throw new IllegalArgumentException("failed to parse duration " + rest + ": " + problem);
                }
            } else if (!DESCRIPTORS.contains(rest)) {
                throw new IllegalArgumentException("unrecognized descriptor: " + rest);
            }
            return;
        }
        CronExpression.parse(rest);
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
