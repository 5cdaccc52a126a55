/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.garbagecollector;

import io.kubeloop.api.client.KubeClient;
import io.kubeloop.cache.SharedInformerFactory;
import io.kubeloop.cache.SharedInformers;
import io.kubeloop.controller.ControllerContext;
import io.kubeloop.controller.events.EventRecorder;
import io.kubeloop.controller.fake.FakeMetrics;
import io.kubeloop.json.JsonCodec;
import io.kubeloop.transport.memory.EmbeddedApiServer;
import io.kubeloop.workqueue.WorkQueueConfig;
import java.time.Clock;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class ResourceErrorsTest {

    @Test
    void resourcesCannotBeRead_isCounted() {
        FakeMetrics metrics = new FakeMetrics();
        EmbeddedApiServer server = EmbeddedApiServer.builder().build();
        KubeClient client = KubeClient.of(server.transport(), JsonCodec.standard());
        try (SharedInformerFactory informers = SharedInformers.factory(client);
                GarbageCollectorController collector = GarbageCollectorController.of(new ControllerContext(
                        component -> client,
                        informers,
                        Clock.systemUTC(),
                        Thread::new,
                        WorkQueueConfig::named,
                        component -> EventRecorder.NONE,
                        metrics))) {
            server.close();
            collector.start(1);

            Awaitility.await("a failed read")
                    .atMost(Duration.ofMinutes(1))
                    .until(() ->
                            metrics.values().containsKey("garbagecollector_controller_resources_sync_error_total[]"));
        }
    }
}
