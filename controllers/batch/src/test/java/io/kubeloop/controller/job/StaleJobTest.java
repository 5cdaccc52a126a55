/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.ObjectMetaBuilder;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.client.DeleteOptions;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.client.ListOptions;
import io.kubeloop.api.client.ResourceClient;
import io.kubeloop.api.core.Pod;
import io.kubeloop.controller.ChildWriteOverlay;
import io.kubeloop.controller.simulation.SimulatedProcess;
import io.kubeloop.json.JsonCodec;
import io.kubeloop.testing.ManualClock;
import io.kubeloop.transport.memory.EmbeddedApiServer;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** A job whose pod the cache never shows. */
class StaleJobTest {

    private static final DeleteOptions AT_ONCE = new DeleteOptions(0L, null, null, null);

    @Test
    void podGoesBeforeTheCacheShowsIt_anotherIsCreatedAfterAMinute_withoutAnyEvent() {
        ManualClock clock = new ManualClock(Instant.parse("2026-01-01T00:00:00Z"));
        try (EmbeddedApiServer server = EmbeddedApiServer.builder().clock(clock).build()) {
            KubeClient client = KubeClient.of(server.transport(), JsonCodec.standard());
            ResourceClient<Pod> pods = client.resource(ResourceTypes.PODS);
            client.resource(ResourceTypes.JOBS)
                    .create(JsonCodec.standard().decode(ResourceTypes.JOBS, new ByteArrayInputStream("""
                            {"apiVersion":"batch/v1","kind":"Job","metadata":{"name":"job","namespace":"default"},
                             "spec":{"template":{"spec":{"restartPolicy":"Never","containers":[{"name":"c","image":"i"}]}}}}""".getBytes(
                                    StandardCharsets.UTF_8))));
            SimulatedProcess process = new SimulatedProcess(
                    server.transport(), clock, new Random(1), asking -> true, request -> {}, request -> {});
            SimulatedJobManager manager = new SimulatedJobManager(process, clock);
            process.start();
            work(manager);
            Pod lost = pods.list("", ListOptions.NONE).items().get(0);
            pods.edit(
                    lost.objectName(),
                    pod -> pod.withMetadata(ObjectMetaBuilder.builder(pod.metadata())
                            .finalizers(List.of())
                            .build()));
            pods.delete(lost.objectName(), AT_ONCE);

            clock.advance(ChildWriteOverlay.PATIENCE);
            work(manager);
            clock.advance(Duration.ofMinutes(1)); // the delay after a failure
            work(manager);

            assertThat(pods.list("", ListOptions.NONE).items())
                    .singleElement()
                    .doesNotReturn(lost.metadata().uid(), pod -> pod.metadata().uid());
        }
    }

    private static void work(SimulatedJobManager manager) {
        while (!manager.processNextWorkItem().isEmpty()) {
            // Until no key is due.
        }
    }
}
