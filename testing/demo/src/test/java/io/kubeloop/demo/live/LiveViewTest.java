/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.demo.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.client.DeleteOptions;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.client.ListOptions;
import io.kubeloop.api.core.ConfigMap;
import io.kubeloop.cache.InformerConfig;
import io.kubeloop.cache.InformerHealth;
import io.kubeloop.cache.ResourceEventHandler;
import io.kubeloop.cache.SharedInformer;
import io.kubeloop.cache.SharedInformerFactory;
import io.kubeloop.cache.SharedInformers;
import io.kubeloop.cache.metrics.InformerMetrics;
import io.kubeloop.controller.ControllerMetrics;
import io.kubeloop.controlplane.ControlPlane;
import io.kubeloop.json.JsonCodec;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonValue;
import io.kubeloop.workqueue.QueueGauges;
import io.kubeloop.workqueue.QueueMetrics;
import io.kubeloop.workqueue.RateLimitingQueue;
import io.kubeloop.workqueue.WorkQueueConfig;
import io.kubeloop.workqueue.WorkQueues;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class LiveViewTest {

    private final AtomicInteger listed = new AtomicInteger();
    private final AtomicInteger handled = new AtomicInteger();
    private final CountedQueue counted = new CountedQueue();
    private final LiveView view = new LiveView(
            new LiveFeed(LiveFeed.Gate.OPEN),
            new LiveView.Metrics(
                    (type, name, health) -> new InformerMetrics() {
                        @Override
                        public void listed(int objects, Duration took) {
                            listed.incrementAndGet();
                        }
                    },
                    (name, gauges) -> {
                        counted.gauges = gauges;
                        return counted;
                    },
                    ControllerMetrics.NONE),
            () -> JsonObject.EMPTY,
            name -> null);

    private static final class CountedQueue implements QueueMetrics {

        private final AtomicInteger adds = new AtomicInteger();
        private final AtomicInteger taken = new AtomicInteger();
        private final AtomicInteger syncs = new AtomicInteger();
        private final AtomicInteger retries = new AtomicInteger();
        private volatile QueueGauges gauges;

        @Override
        public void added() {
            adds.incrementAndGet();
        }

        @Override
        public void taken(Duration waited) {
            taken.incrementAndGet();
        }

        @Override
        public void processed(Duration worked) {
            syncs.incrementAndGet();
        }

        @Override
        public void retried(Duration delay) {
            retries.incrementAndGet();
        }

        @Override
        public void close() {}
    }

    private JsonObject only(String list) {
        List<JsonValue> all = view.stages().array(list).elements();
        assertThat(all).hasSize(1);
        return (JsonObject) all.get(0);
    }

    /** What the page shows of each stage is what the code measures there, once nothing is under way. */
    @Test
    void stages_whenQuiet_equalTheMetricsOfTheCode() throws Exception {
        RateLimitingQueue<ObjectName> queue =
                WorkQueues.rateLimiting(WorkQueueConfig.named("maps").withMetrics(view.queues()));
        try (ControlPlane plane = ControlPlane.builder().controllers(List.of()).start();
                KubeClient user = plane.client();
                KubeClient client = KubeClient.of(view.observe(user.transport()), JsonCodec.standard());
                SharedInformerFactory informers =
                        SharedInformers.factory(client, InformerConfig.DEFAULT.withMetrics(view.informers()))) {
            SharedInformer<ConfigMap> maps = informers.informer(ResourceTypes.CONFIG_MAPS);
            maps.addHandler(ResourceEventHandler.forKeys("maps", key -> {
                handled.incrementAndGet();
                queue.add(key);
            }));
            int existing = user.resource(ResourceTypes.CONFIG_MAPS)
                    .list("", ListOptions.NONE)
                    .items()
                    .size();
            informers.start();
            // A map that is made and deleted before the first list would never be seen.
            maps.awaitSync(Duration.ofSeconds(30));
            for (String name : List.of("a", "b", "c")) {
                client.resource(ResourceTypes.CONFIG_MAPS)
                        .create(ConfigMap.of(ObjectMeta.named("default", name), Map.of()));
            }
            client.resource(ResourceTypes.CONFIG_MAPS).delete(new ObjectName("default", "b"), DeleteOptions.DEFAULT);
            await().atMost(Duration.ofSeconds(30))
                    .until(() -> maps.lister().list().size() == existing + 2
                            && maps.health().handlers().get(0).pending() == 0
                            && handled.get() == existing + 4);
            ObjectName first = Objects.requireNonNull(queue.get());
            ObjectName second = Objects.requireNonNull(queue.get());
            queue.addAfter(first, Duration.ofHours(1));
            queue.done(first);
            queue.done(second); // the third key stays

            InformerHealth health = maps.health();
            JsonObject lane = only("informers");
            assertThat(lane.string("resource")).isEqualTo("configmaps");
            assertThat(lane.number("objects")).isEqualTo(health.objects()).isEqualTo(existing + 2);
            assertThat(lane.number("queued")).isEqualTo(health.queued()).isZero();
            assertThat(lane.number("lists")).isEqualTo(health.lists());
            assertThat(listed).as("the first list streams").hasValue(1);
            assertThat(lane.number("watches")).isEqualTo(health.watches()).isPositive();
            assertThat(lane.number("errors")).isEqualTo(health.errors()).isZero();
            assertThat(lane.string("received")).isEqualTo(health.lastSyncResourceVersion());
            assertThat(lane.string("stored")).isEqualTo(health.storeResourceVersion());
            assertThat(lane.string("state")).isEqualTo("watching");

            JsonObject handler = (JsonObject) lane.array("handlers").elements().get(0);
            assertThat(handler.string("name")).isEqualTo("maps");
            assertThat(handler.number("delivered")).isEqualTo(handled.get());
            assertThat(handler.number("pending")).isZero();
            assertThat(handler.number("failed")).isZero();

            JsonObject shown = only("queues");
            assertThat(shown.string("name")).isEqualTo("maps");
            assertThat(shown.number("depth")).isEqualTo(counted.gauges.depth()).isEqualTo(existing + 1);
            assertThat(shown.number("adds")).isEqualTo(counted.adds.get()).isPositive();
            assertThat(shown.number("syncs")).isEqualTo(counted.syncs.get()).isPositive();
            assertThat(shown.number("retries")).isEqualTo(counted.retries.get()).isPositive();
            assertThat(shown.number("busy"))
                    .isEqualTo(counted.taken.get() - counted.syncs.get())
                    .isZero();

            JsonObject shownClient = view.stages().object("client");
            assertThat(shownClient.number("writes")).isEqualTo(4);
            assertThat(shownClient.number("watches")).isEqualTo(1);
            assertThat(shownClient.number("errors")).isZero();
        } finally {
            queue.shutDown();
        }
    }
}
