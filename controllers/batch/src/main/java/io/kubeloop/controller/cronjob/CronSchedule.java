/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.cronjob;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/** A series of points in time (upstream: {@code robfig/cron.Schedule}). Immutable. */
@FunctionalInterface
public interface CronSchedule {

    /** Returns the first time after this one; null if there is none within five years. */
    @Nullable
    Instant next(Instant time);

    /**
     * Reads a schedule: five fields such as {@code 30 6-16/4 * * 1-5}, a name such as {@code @hourly}, or {@code @every
     * 1h30m}. A time zone may precede it: {@code TZ=Europe/Berlin}.
     *
     * @param local the zone of a schedule that names none
     * @throws CronSyntaxException if the text is not a schedule; the message is upstream's
     */
    static CronSchedule parse(String text, ZoneId local) {
        return CronParser.parse(text, local);
    }

    /**
     * A time at a fixed interval after the last one.
     *
     * @param delay at least one second; fractions of a second are dropped
     */
    record Every(Duration delay) implements CronSchedule {

        /** Rounds the delay. */
        public Every {
            delay = Duration.ofSeconds(Math.max(1, delay.toSeconds()));
        }

        @Override
        public Instant next(Instant time) {
            return time.plus(delay).truncatedTo(ChronoUnit.SECONDS);
        }
    }
}
