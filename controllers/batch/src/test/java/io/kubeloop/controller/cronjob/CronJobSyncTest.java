/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.cronjob;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.batch.Job;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The parts of a CronJob's spec, one at a time, and a year of schedules. */
class CronJobSyncTest {

    private static final Instant START = Instant.parse("2026-01-01T00:00:30Z");
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final CronBench bench = new CronBench(START, 1);

    @AfterEach
    void close() {
        bench.close();
    }

    private static String name(String time) {
        return "cron-" + Instant.parse(time).getEpochSecond() / 60;
    }

    @Test
    void dueStart_createsAJobNamedByTheMinute_withTemplateOwnerAndTime() {
        bench.create("\"schedule\":\"* * * * *\"");
        bench.work();
        assertThat(bench.all()).isEmpty();

        bench.pass(MINUTE);

        Job job = bench.all().get(0);
        assertThat(job.metadata().name()).isEqualTo(name("2026-01-01T00:01:00Z"));
        assertThat(job.metadata().labels()).containsEntry("a", "b");
        assertThat(job.metadata().annotations()).containsEntry(CronJobSync.SCHEDULED, "2026-01-01T00:01:00Z");
        assertThat(job.metadata().controller()).isNotNull();
        assertThat(bench.cron().status().active()).hasSize(1);
        assertThat(bench.cron().status().lastScheduleTime()).hasToString("2026-01-01T00:01:00Z");
        assertThat(bench.events())
                .containsExactly(
                        "Normal SuccessfulCreate Created job " + job.metadata().name());
    }

    @Test
    void lateStart_isMeasuredFromTheScheduledTime() {
        bench.create("\"schedule\":\"* * * * *\"");
        bench.work();

        bench.pass(Duration.ofSeconds(37)); // 00:01:07

        assertThat(bench.leader.metrics.values())
                .containsExactly(Map.entry("cronjob_controller_job_creation_skew_duration_seconds[]", 7.0));
    }

    @Test
    void history_keepsTheLatestOfEachKind() {
        bench.create("\"schedule\":\"* * * * *\",\"successfulJobsHistoryLimit\":2,\"failedJobsHistoryLimit\":1");
        bench.work();
        for (int minute = 1; minute <= 6; minute++) {
            bench.pass(MINUTE);
            bench.end(
                    bench.all().stream()
                            .filter(job -> !job.isFinished())
                            .findFirst()
                            .orElseThrow(),
                    minute % 2 == 0);
            bench.work();
        }

        assertThat(bench.names())
                .containsExactly(
                        name("2026-01-01T00:04:00Z"), name("2026-01-01T00:05:00Z"), name("2026-01-01T00:06:00Z"));
        assertThat(bench.cron().status().active()).isEmpty();
        assertThat(bench.cron().status().lastSuccessfulTime()).isNotNull();
        assertThat(bench.events())
                .contains(
                        "Normal SawCompletedJob Saw completed job: " + name("2026-01-01T00:06:00Z")
                                + ", condition: Complete",
                        "Normal SuccessfulDelete Deleted job " + name("2026-01-01T00:02:00Z"));
    }

    @Test
    void forbid_skipsAStart_andReplaceDeletesTheRunningJob() {
        bench.create("\"schedule\":\"* * * * *\",\"concurrencyPolicy\":\"Forbid\"");
        bench.work();
        bench.pass(MINUTE);
        bench.pass(MINUTE);
        assertThat(bench.names()).containsExactly(name("2026-01-01T00:01:00Z"));
        assertThat(bench.events())
                .contains("Normal JobAlreadyActive Not starting job because prior execution is running and concurrency"
                        + " policy is Forbid");

        bench.patch("{\"spec\":{\"concurrencyPolicy\":\"Replace\"}}");
        bench.work();
        bench.pass(MINUTE);
        assertThat(bench.names()).containsExactly(name("2026-01-01T00:03:00Z"));
    }

    @Test
    void missedStarts_startTheLatestOnce_unlessItIsTooLate() {
        bench.create("\"schedule\":\"0 * * * *\",\"startingDeadlineSeconds\":600");
        bench.work();
        bench.pass(Duration.ofMinutes(3 * 60 + 5));
        assertThat(bench.names()).containsExactly(name("2026-01-01T03:00:00Z"));

        bench.pass(Duration.ofMinutes(75)); // 04:20
        assertThat(bench.names()).hasSize(1);
    }

    @Test
    void manyMissedStarts_areReported() {
        bench.create("\"schedule\":\"* * * * *\"");
        bench.work();
        bench.pass(Duration.ofHours(3));

        assertThat(bench.all()).hasSize(1);
        assertThat(bench.events())
                .contains("Warning TooManyMissedTimes too many missed start times. Set or decrease"
                        + " .spec.startingDeadlineSeconds or check clock skew");
    }

    @Test
    void suspended_startsNothing_andAnImpossibleDateIsReported() {
        bench.create("\"schedule\":\"* * * * *\",\"suspend\":true");
        bench.work();
        bench.pass(Duration.ofMinutes(5));
        assertThat(bench.all()).isEmpty();

        bench.patch("{\"spec\":{\"suspend\":false,\"schedule\":\"59 23 31 2 *\"}}");
        bench.pass(MINUTE);
        assertThat(bench.events())
                .contains("Warning InvalidSchedule invalid schedule: 59 23 31 2 * : time difference between two "
                        + "schedules is"
                        + " less than 1 second");
    }

    @Test
    void activeJobThatIsGone_isReported() {
        bench.create("\"schedule\":\"* * * * *\"");
        bench.work();
        bench.pass(MINUTE);
        String name = bench.names().get(0);
        bench.delete(bench.all().get(0));
        bench.work();

        assertThat(bench.events()).contains("Normal MissingJob Active job went missing: " + name);
        assertThat(bench.cron().status().active()).isEmpty();
    }

    @Test
    void aYearOfNights_startsEachOnce_atTheLocalTime() {
        bench.create("\"schedule\":\"30 3 * * *\",\"timeZone\":\"Europe/Berlin\",\"successfulJobsHistoryLimit\":1");
        bench.work();
        ZoneId berlin = ZoneId.of("Europe/Berlin");
        for (int hour = 0; hour < 365 * 24; hour++) {
            bench.pass(Duration.ofHours(1));
            List<Job> running =
                    bench.all().stream().filter(job -> !job.isFinished()).toList();
            running.forEach(job -> bench.end(job, true));
            bench.work();
        }

        assertThat(bench.created).hasSize(365);
        assertThat(bench.created).allSatisfy(name -> {
            long minute = Long.parseLong(name.substring("cron-".length()));
            assertThat(Instant.ofEpochSecond(minute * 60).atZone(berlin).toLocalTime())
                    .isEqualTo(LocalTime.of(3, 30));
        });
        assertThat(bench.all()).hasSize(1);
    }
}
