/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.cronjob;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.ObjectReference;
import io.kubeloop.api.batch.Job;
import io.kubeloop.testing.SeededRuns;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * No start of a CronJob happens twice, whatever is lost or late; in the end the status names the jobs that run, and the
 * history has its size. {@link CronBench} checks each creation.
 *
 * <p>Watches lag, break and lose changes, requests and answers get lost, other processes take the lead, people suspend
 * and resume, and jobs end. Every choice comes from the seed. The system property {@code kubeloop.simulation.runs} sets
 * the number of runs; 5,000 in the profile {@code stress}.
 */
@Tag("stress")
class CronInvariantsTest {

    private static final int STEPS = 120;
    private static final Instant START = Instant.parse("2026-01-01T00:00:30Z");
    private static final List<String> POLICIES = List.of("Allow", "Forbid", "Replace");

    @Test
    void cronJobInAWorldThatGoesWrong_startsNothingTwice_andItsStatusIsTrue() {
        SeededRuns.each(seed -> new CronBench(START, seed), CronInvariantsTest::run);
    }

    private static void run(CronBench bench) {
        String policy = POLICIES.get(bench.random.nextInt(3));
        bench.create("\"schedule\":\"*/2 * * * *\",\"concurrencyPolicy\":\"" + policy
                + "\",\"successfulJobsHistoryLimit\":2,\"failedJobsHistoryLimit\":1");
        for (int i = 0; i < STEPS; i++) {
            step(bench, bench.random.nextInt(100));
        }
        settle(bench);
    }

    private static void step(CronBench bench, int choice) {
        SimulatedCronManager leader = bench.leader;
        if (choice < 25) {
            if (bench.random.nextBoolean()) {
                leader.cronJobs.deliver();
            } else {
                leader.jobs.deliver();
            }
            if (bench.random.nextInt(4) > 0) {
                leader.cronEvents.tellAll();
                leader.jobEvents.tellAll();
            }
        } else if (choice < 55) {
            leader.network.failures(bench.random.nextInt(3) * 20);
            leader.processNextWorkItem();
        } else if (choice < 67) {
            end(bench);
        } else if (choice < 70) {
            bench.patch("{\"spec\":{\"suspend\":" + bench.random.nextBoolean() + "}}");
        } else if (choice < 74) {
            leader.cronJobs.loseChanges(bench.random);
            leader.jobs.loseChanges(bench.random);
        } else if (choice < 80) {
            leader.cronJobs.relist();
            leader.jobs.relist();
        } else if (choice < 83) {
            bench.newLeader();
        } else {
            bench.clock.advance(Duration.ofSeconds(bench.random.nextInt(90)));
        }
    }

    private static void end(CronBench bench) {
        List<Job> running =
                bench.all().stream().filter(job -> !job.isFinished()).toList();
        if (!running.isEmpty()) {
            bench.end(running.get(bench.random.nextInt(running.size())), bench.random.nextInt(3) > 0);
        }
    }

    private static void settle(CronBench bench) {
        bench.leader.network.failures(0);
        bench.patch("{\"spec\":{\"suspend\":false,\"concurrencyPolicy\":\"Allow\"}}");
        bench.leader.cronJobs.relist();
        bench.leader.jobs.relist();
        bench.work();
        int before = bench.created.size();
        for (int minute = 0; minute < 7; minute++) {
            bench.pass(Duration.ofMinutes(1));
        }
        assertThat(bench.created).as("three more starts").hasSizeBetween(before + 3, before + 4);
        List<Job> running =
                bench.all().stream().filter(job -> !job.isFinished()).toList();
        running.forEach(job -> bench.end(job, true));
        bench.work();
        bench.pass(Duration.ofSeconds(1)); // a conflict is tried again
        // The time may be that of the next start.
        List<String> started = bench.all().stream()
                .filter(job -> !job.isFinished())
                .map(job -> job.metadata().uid())
                .toList();
        assertThat(bench.cron().status().active())
                .extracting(ObjectReference::uid)
                .containsExactlyInAnyOrderElementsOf(started);
        assertThat(bench.all()).as("two completed and one failed job").hasSizeLessThanOrEqualTo(3 + started.size());
    }
}
