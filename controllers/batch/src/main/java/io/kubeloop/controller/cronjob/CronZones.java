/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.cronjob;

import io.kubeloop.api.batch.CronJobSpec;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;

/**
 * Reads the schedules of CronJobs in their time zones.
 *
 * @param local the zone of a CronJob that names none: the controller's
 */
public record CronZones(ZoneId local) {

    boolean isKnown(String zone) {
        return find(zone) != null;
    }

    private @Nullable ZoneId find(String zone) {
        if (zone.isEmpty()) {
            return ZoneOffset.UTC;
        } else if (zone.equals("Local")) {
            return local;
        }
        try {
            return ZoneId.of(zone, ZoneId.SHORT_IDS);
        } catch (DateTimeException e) {
            return null;
        }
    }

    /** Returns the zone for the annotation of a job; UTC if the CronJob names none. */
    ZoneId ofAnnotation(CronJobSpec spec) {
        ZoneId zone = spec.timeZone() == null ? null : find(spec.timeZone());
        return zone == null ? ZoneOffset.UTC : zone;
    }

    /** Returns the schedule with the time zone of the CronJob before it, unless it names one itself. */
    String withZone(CronJobSpec spec) {
        String zone = spec.timeZone();
        return zone == null || spec.schedule().contains("TZ") || !isKnown(zone)
                ? spec.schedule()
                : "TZ=" + zone + " " + spec.schedule();
    }

    /**
     * Returns the schedule.
     *
     * @throws CronSyntaxException if it cannot be read
     */
    CronSchedule schedule(CronJobSpec spec) {
        return CronSchedule.parse(withZone(spec), local);
    }
}
