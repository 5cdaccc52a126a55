/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.disruption;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.client.ListOptions;
import io.kubeloop.api.client.Patch;
import io.kubeloop.api.core.Pod;
import io.kubeloop.cache.ResourceEventHandler;
import io.kubeloop.controller.simulation.LaggingCache;
import io.kubeloop.controller.simulation.SimulatedQueue;
import io.kubeloop.json.JsonCodec;
import io.kubeloop.testing.ManualClock;
import io.kubeloop.transport.memory.EmbeddedApiServer;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class StaleDisruptionsTest {

    private static final ObjectName POD = new ObjectName("default", "a");

    private final ManualClock clock = new ManualClock(Instant.parse("2026-01-01T00:00:00Z"));
    private final EmbeddedApiServer server =
            EmbeddedApiServer.builder().clock(clock).build();
    private final KubeClient client = KubeClient.of(server.transport(), JsonCodec.standard());
    private final SimulatedQueue<ObjectName> queue = new SimulatedQueue<>(clock);

    @AfterEach
    void close() {
        client.close();
        server.close();
    }

    private StaleDisruptions observe(String reason) {
        client.resource(ResourceTypes.PODS)
                .create(JsonCodec.standard()
                        .decode(ResourceTypes.PODS, new ByteArrayInputStream("""
                        {"apiVersion":"v1","kind":"Pod","metadata":{"name":"a","namespace":"default"},
                         "spec":{"containers":[{"name":"c","image":"i"}]}}""".getBytes(StandardCharsets.UTF_8))));
        Pod pod = client.resource(ResourceTypes.PODS)
                .patch(
                        POD,
                        Patch.merge("{\"status\":{\"conditions\":[{\"type\":\"DisruptionTarget\",\"status\":\"True\","
                                + "\"reason\":\""
                                + reason + "\",\"lastTransitionTime\":\"" + clock.instant() + "\"}]}}"),
                        "status");
        LaggingCache<Pod> pods = new LaggingCache<>();
        pods.start(
                client.resource(ResourceTypes.PODS).list("", ListOptions.NONE).items(),
                new ResourceEventHandler<>() {});
        StaleDisruptions stale = new StaleDisruptions(pods, client.resource(ResourceTypes.PODS), queue, clock);
        stale.observe(pod);
        return stale;
    }

    @Test
    void podThatIsNotDeletedWithinTwoMinutes_losesTheCondition() {
        StaleDisruptions stale = observe("EvictionByEvictionAPI");
        assertThat(queue.get()).isNull();

        clock.advance(Duration.ofMinutes(2));
        assertThat(queue.get()).isEqualTo(POD);
        stale.sync(POD);

        assertThat(client.resource(ResourceTypes.PODS)
                        .get(POD)
                        .status()
                        .condition("DisruptionTarget")
                        .status())
                .isEqualTo("False");
    }

    @Test
    void conditionOfAKubelet_stays() {
        observe("TerminationByKubelet");

        clock.advance(Duration.ofHours(1));
        assertThat(queue.get()).isNull();
    }
}
