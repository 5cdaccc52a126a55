/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.apps.ReplicaSet;
import io.kubeloop.api.client.DeleteOptions;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.client.ListOptions;
import io.kubeloop.api.client.ResourceClient;
import io.kubeloop.controller.simulation.SimulatedProcess;
import io.kubeloop.json.JsonCodec;
import io.kubeloop.testing.ManualClock;
import io.kubeloop.transport.memory.EmbeddedApiServer;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** A deployment whose ReplicaSet comes and goes before the cache shows it. */
class StaleDeploymentTest {

    @Test
    void setGoesBeforeTheCacheShowsIt_anotherIsCreatedAtOnce_withoutAnyEvent() {
        ManualClock clock = new ManualClock(Instant.parse("2026-01-01T00:00:00Z"));
        try (EmbeddedApiServer server = EmbeddedApiServer.builder().clock(clock).build()) {
            KubeClient client = KubeClient.of(server.transport(), JsonCodec.standard());
            ResourceClient<ReplicaSet> sets = client.resource(ResourceTypes.REPLICA_SETS);
            client.resource(ResourceTypes.DEPLOYMENTS)
                    .create(JsonCodec.standard()
                            .decode(ResourceTypes.DEPLOYMENTS, new ByteArrayInputStream("""
                            {"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"web","namespace":"default"},
                             "spec":{"selector":{"matchLabels":{"app":"web"}},\
                            "template":{"metadata":{"labels":{"app":"web"}},
                                     "spec":{"containers":[{"name":"c","image":"i"}]}}}}""".getBytes(
                                            StandardCharsets.UTF_8))));
            SimulatedProcess process = new SimulatedProcess(
                    server.transport(), clock, new Random(1), asking -> true, request -> {}, request -> {});
            Consumer<ObjectName> sync = new SimulatedDeploymentManager(process, clock).sync;
            process.start();
            work(process, sync);
            ReplicaSet lost = sets.list("", ListOptions.NONE).items().get(0);
            sets.delete(lost.objectName(), DeleteOptions.DEFAULT);

            process.worldChanged();
            process.deliverAll();
            work(process, sync);

            assertThat(sets.list("", ListOptions.NONE).items())
                    .singleElement()
                    .doesNotReturn(lost.metadata().uid(), set -> set.metadata().uid());
        }
    }

    private static void work(SimulatedProcess process, Consumer<ObjectName> sync) {
        while (!process.processNextWorkItem(sync).isEmpty()) {
            // Until no key is due.
        }
    }
}
