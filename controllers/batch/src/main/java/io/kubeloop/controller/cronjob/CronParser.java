/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.cronjob;

import io.kubeloop.api.batch.CronExpression;
import io.kubeloop.api.value.GoDuration;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Objects;

/** Reads schedules (upstream: {@code robfig/cron.ParseStandard}). Stateless. */
final class CronParser {

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
            String problem = GoDuration.problem(duration);
            if (problem != null) {
                throw new CronSyntaxException("failed to parse duration " + name + ": " + problem);
            }
            return new CronSchedule.Every(GoDuration.parse(duration));
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
        try {
            return new CronFields(CronExpression.parse(text), zone);
        } catch (IllegalArgumentException e) {
            throw new CronSyntaxException(Objects.requireNonNull(e.getMessage()));
        }
    }
}
