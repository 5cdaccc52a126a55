/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.cronjob;

import io.kubeloop.api.Time;
import io.kubeloop.api.batch.CronJob;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The starts that a CronJob has missed since the last one (upstream: {@code mostRecentScheduleTime}).
 *
 * @param earliest the time from which starts count: the last start, the creation, or the deadline for late starts
 * @param latest the latest time at which a job should have started; null if there is none
 * @param missed an estimate of the number of starts in between
 */
record StartTimes(Instant earliest, @Nullable Instant latest, long missed) {

    /** More missed starts than this point to a wrong clock. */
    private static final int MANY = 100;

    /** Starts a little late, so a clock that is slightly behind does not miss a start. */
    private static final Duration PADDING = Duration.ofMillis(100);

    boolean areMany() {
        return missed > MANY;
    }

    /**
     * Returns the missed starts.
     *
     * @param withDeadline whether starts that are too late by {@code startingDeadlineSeconds} are left out
     * @throws CronSyntaxException if the schedule is well-formed but has no times, such as February 31
     */
    static StartTimes of(CronJob cron, Instant now, CronSchedule schedule, boolean withDeadline) {
        Instant earliest = earliest(cron, now, withDeadline);
        Instant first = schedule.next(earliest);
        if (first != null && now.isBefore(first)) {
            return new StartTimes(earliest, null, 0);
        }
        Instant second = first == null ? null : schedule.next(first);
        long interval =
                second == null ? 0 : Math.round(Duration.between(first, second).toMillis() / 1000.0);
        if (first == null || interval < 1) {
            throw new CronSyntaxException("time difference between two schedules is less than 1 second");
        }
        if (now.isBefore(second)) {
            return new StartTimes(earliest, first, 0);
        }
        long missed = Duration.between(first, now).toSeconds() / interval + 1;
        return new StartTimes(earliest, latest(first.plusSeconds((missed - 2) * interval), now, schedule), missed);
    }

    private static Instant earliest(CronJob cron, Instant now, boolean withDeadline) {
        Time last = cron.status().lastScheduleTime();
        Time since = last == null ? cron.metadata().creationTimestamp() : last;
        Instant earliest = since == null ? Instant.EPOCH : since.instant();
        Long deadline = cron.spec().startingDeadlineSeconds();
        if (!withDeadline || deadline == null) {
            return earliest;
        }
        Instant limit = now.minusSeconds(deadline);
        return limit.isAfter(earliest) ? limit : earliest;
    }

    private static @Nullable Instant latest(Instant from, Instant now, CronSchedule schedule) {
        Instant latest = null;
        for (Instant time = schedule.next(from); time != null && !time.isAfter(now); time = schedule.next(time)) {
            latest = time;
        }
        return latest;
    }

    /** Returns the time until the next start. */
    static Duration untilNext(CronJob cron, Instant now, CronSchedule schedule) {
        Instant next = schedule.next(lastDue(cron, now, schedule));
        return next == null ? Duration.ZERO : Duration.between(now, next.plus(PADDING));
    }

    private static Instant lastDue(CronJob cron, Instant now, CronSchedule schedule) {
        try {
            StartTimes times = of(cron, now, schedule, false);
            if (times.latest() != null) {
                return times.latest();
            }
            return times.missed() == 0 ? times.earliest() : now;
        } catch (CronSyntaxException e) {
            return now; // the schedule has no times before now; it may have some later
        }
    }
}
