/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.cronjob;

import io.kubeloop.api.batch.CronExpression;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * The minutes whose fields all match (upstream: {@code robfig/cron.SpecSchedule}).
 *
 * <p>Around a change to or from daylight saving time a schedule behaves as upstream's: a time that does not exist is
 * skipped with its day, and a time that exists twice is used twice.
 *
 * @param fields the values that match
 * @param zone the time zone of the fields
 */
record CronFields(CronExpression fields, ZoneId zone) implements CronSchedule {

    /** A schedule such as February 30 never matches. */
    private static final int YEARS = 5;

    @Override
    public @Nullable Instant next(Instant time) {
        ZonedDateTime start =
                time.plusSeconds(1).truncatedTo(ChronoUnit.SECONDS).atZone(zone);
        Search search = new Search(start);
        int lastYear = start.getYear() + YEARS;
        while (search.at.getYear() <= lastYear) {
            if (search.toMonth() && search.toDay() && search.toHour() && search.toMinute()) {
                return search.at.toInstant();
            }
        }
        return null;
    }

    private boolean matchesDay(ZonedDateTime time) {
        boolean inMonth = fields.dayOfMonth().has(time.getDayOfMonth());
        boolean inWeek = fields.dayOfWeek().has(time.getDayOfWeek().getValue() % 7);
        return (fields.dayOfMonth().isStar() || fields.dayOfWeek().isStar())
                ? (inMonth && inWeek)
                : (inMonth || inWeek);
    }

    /** A time that moves forward, one field after the other. A step returns false if a larger field has begun again. */
    private final class Search {

        private ZonedDateTime at;

        /** True once a field has moved: the smaller ones are then at their beginning. */
        private boolean hasMoved;

        Search(ZonedDateTime start) {
            at = start;
        }

        boolean toMonth() {
            while (!fields.month().has(at.getMonthValue())) {
                begin(at.toLocalDateTime().truncatedTo(ChronoUnit.DAYS).withDayOfMonth(1));
                at = date(at.toLocalDateTime().plusMonths(1));
                if (at.getMonthValue() == 1) {
                    return false;
                }
            }
            return true;
        }

        boolean toDay() {
            while (!matchesDay(at)) {
                begin(at.toLocalDateTime().truncatedTo(ChronoUnit.DAYS));
                ZonedDateTime next = date(at.toLocalDateTime().plusDays(1));
                // A zone that crosses the date line may skip a whole day.
                at = next.isAfter(at) ? next : date(at.toLocalDateTime().plusDays(2));
                if (at.getHour() != 0) {
                    // This day has no midnight.
                    at = at.plusHours(at.getHour() > 12 ? 24 - at.getHour() : -at.getHour());
                }
                if (at.getDayOfMonth() == 1) {
                    return false;
                }
            }
            return true;
        }

        boolean toHour() {
            while (!fields.hour().has(at.getHour())) {
                begin(at.toLocalDateTime().truncatedTo(ChronoUnit.HOURS));
                at = at.plusHours(1);
                if (at.getHour() == 0) {
                    return false;
                }
            }
            return true;
        }

        /** The second is always 0. */
        boolean toMinute() {
            while (!fields.minute().has(at.getMinute()) || at.getSecond() != 0) {
                hasMoved = true;
                at = at.truncatedTo(ChronoUnit.MINUTES).plus(Duration.ofMinutes(1));
                if (at.getMinute() == 0) {
                    return false;
                }
            }
            return true;
        }

        private void begin(LocalDateTime start) {
            if (!hasMoved) {
                hasMoved = true;
                at = date(start);
            }
        }
    }

    /**
     * Returns the time with this date in the zone. Go's rule decides about times that do not exist or exist twice: the
     * offset is the one that holds at the time that follows from the offset at the same date in UTC.
     */
    private ZonedDateTime date(LocalDateTime local) {
        Instant asUtc = local.toInstant(ZoneOffset.UTC);
        ZoneOffset guess = zone.getRules().getOffset(asUtc);
        int offset = guess.getTotalSeconds() == 0
                ? 0
                : zone.getRules()
                        .getOffset(asUtc.minusSeconds(guess.getTotalSeconds()))
                        .getTotalSeconds();
        return asUtc.minusSeconds(offset).atZone(zone);
    }
}
