/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.cronjob;

import static io.kubeloop.controller.job.JobVectors.number;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.kubeloop.api.ObjectMetaBuilder;
import io.kubeloop.api.Time;
import io.kubeloop.api.batch.CronJob;
import io.kubeloop.api.batch.CronJobSpecBuilder;
import io.kubeloop.api.batch.CronJobStatusBuilder;
import io.kubeloop.controller.job.JobVectors;
import io.kubeloop.json.tree.JsonObject;
import java.io.IOException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Compares schedules and missed starts with those of Kubernetes' own functions. */
class CronVectorsTest {

    @TestFactory
    Stream<DynamicTest> schedules_haveTheTimesOfUpstream() throws IOException {
        return JobVectors.of("schedules").stream()
                .map(vector -> DynamicTest.dynamicTest(vector.toString(), () -> schedule(vector)));
    }

    private static void schedule(JsonObject vector) {
        String text = vector.string("text");
        String error = vector.string("error");
        if (!error.isEmpty()) {
            assertThatExceptionOfType(CronSyntaxException.class)
                    .isThrownBy(() -> CronSchedule.parse(text, ZoneOffset.UTC))
                    .withMessage(error);
            return;
        }
        CronSchedule schedule = CronSchedule.parse(text, ZoneOffset.UTC);
        List<String> times = new ArrayList<>();
        Instant time = Instant.parse(vector.string("from"));
        for (int i = 0; i < 4 && time != null; i++) {
            time = schedule.next(time);
            times.add(time == null ? "" : time.toString());
        }
        assertThat(times).isEqualTo(vector.array("next").strings().toList());
    }

    @TestFactory
    Stream<DynamicTest> missedStarts_areThoseOfUpstream() throws IOException {
        return JobVectors.of("starts").stream()
                .map(vector -> DynamicTest.dynamicTest(vector.toString(), () -> starts(vector)));
    }

    private static void starts(JsonObject vector) {
        long deadline = number(vector, "deadline");
        CronJob cron = CronJob.of(
                ObjectMetaBuilder.builder()
                        .name("c")
                        .creationTimestamp(new Time(Instant.parse(vector.string("created"))))
                        .build(),
                CronJobSpecBuilder.builder()
                        .startingDeadlineSeconds(deadline < 0 ? null : (Long) deadline)
                        .build(),
                CronJobStatusBuilder.builder()
                        .lastScheduleTime(time(vector.string("last")))
                        .build());
        CronSchedule schedule = CronSchedule.parse(vector.string("schedule"), ZoneOffset.UTC);
        Instant now = Instant.parse(vector.string("now"));
        if (!vector.string("error").isEmpty()) {
            assertThatExceptionOfType(CronSyntaxException.class)
                    .isThrownBy(() -> StartTimes.of(cron, now, schedule, true))
                    .withMessage(vector.string("error"));
            return;
        }
        StartTimes times = StartTimes.of(cron, now, schedule, true);
        assertThat(times.earliest()).isEqualTo(Instant.parse(vector.string("earliest")));
        assertThat(times.latest() == null ? "" : times.latest().toString()).isEqualTo(vector.string("latest"));
        assertThat(times.areMany()).isEqualTo(vector.bool("many"));
        assertThat(StartTimes.untilNext(cron, now, schedule)).hasMillis(number(vector, "until"));
    }

    private static @Nullable Time time(String text) {
        return text.isEmpty() ? null : new Time(Instant.parse(text));
    }
}
