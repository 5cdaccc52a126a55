/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.ttlafterfinished;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.batch.Job;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.client.Patch;
import io.kubeloop.api.client.ResourceClient;
import io.kubeloop.controller.fake.FakeLister;
import io.kubeloop.controller.fake.FakeMetrics;
import io.kubeloop.controller.simulation.SimulatedQueue;
import io.kubeloop.json.JsonCodec;
import io.kubeloop.testing.ManualClock;
import io.kubeloop.transport.memory.EmbeddedApiServer;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The deletion of a job whose time to live is over. */
class JobExpiryTest {

    private static final ObjectName KEY = new ObjectName("default", "job");

    private final ManualClock clock = new ManualClock(Instant.parse("2026-01-01T00:00:00Z"));

    @Test
    void sync_timeToLiveIsOver_deletesTheJobAndMeasuresTheDelay() {
        FakeMetrics metrics = new FakeMetrics();
        SimulatedQueue<ObjectName> queue = new SimulatedQueue<>(clock);
        try (EmbeddedApiServer server = EmbeddedApiServer.builder().clock(clock).build();
                KubeClient client = KubeClient.of(server.transport(), JsonCodec.standard())) {
            ResourceClient<Job> jobs = client.resource(ResourceTypes.JOBS);
            FakeLister<Job> cache = new FakeLister<Job>().with(finishedJob(jobs));
            TtlAfterFinishedController.Sync sync =
                    new TtlAfterFinishedController.Sync(cache, jobs, queue, metrics, clock);

            sync.syncJob(KEY);
            assertThat(jobs.get(KEY).metadata().isDeleting()).isFalse();
            assertThat(metrics.values()).isEmpty();

            clock.advance(Duration.ofSeconds(33));
            assertThat(queue.get()).isEqualTo(KEY);
            sync.syncJob(KEY);

            assertThat(jobs.get(KEY).metadata().isDeleting())
                    .as("deletion in the foreground")
                    .isTrue();
            assertThat(metrics.values())
                    .containsExactly(Map.entry("ttl_after_finished_controller_job_deletion_duration_seconds[]", 3.0));
        }
    }

    /** Creates a job that ends now and lives for 30 s. */
    private Job finishedJob(ResourceClient<Job> jobs) {
        jobs.create(JsonCodec.standard()
                .decode(ResourceTypes.JOBS, new ByteArrayInputStream("""
                {"metadata":{"name":"job","namespace":"default"},"spec":{"ttlSecondsAfterFinished":30,
                 "template":{"spec":{"restartPolicy":"Never","containers":[{"name":"c","image":"i"}]}}}\
                }""".getBytes(StandardCharsets.UTF_8))));
        String condition = "\"status\":\"True\",\"lastTransitionTime\":\"" + clock.instant() + "\"}";
        return jobs.patch(
                KEY,
                Patch.merge("{\"status\":{\"startTime\":\"" + clock.instant()
                        + "\",\"conditions\":[{\"type\":\"FailureTarget\"," + condition + ",{\"type\":\"Failed\","
                        + condition + "]}}"),
                "status");
    }
}
