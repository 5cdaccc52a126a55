/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.replicaset;

import static org.awaitility.Awaitility.await;

import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.apps.ReplicaSet;
import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.api.client.ApiResponse;
import io.kubeloop.api.client.ApiStream;
import io.kubeloop.api.client.DeleteOptions;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.client.ListOptions;
import io.kubeloop.api.client.Patch;
import io.kubeloop.api.client.ResourceClient;
import io.kubeloop.api.client.Transport;
import io.kubeloop.api.core.Pod;
import io.kubeloop.cache.SharedInformerFactory;
import io.kubeloop.cache.SharedInformers;
import io.kubeloop.controller.ControllerContext;
import io.kubeloop.controller.WriteBarrier;
import io.kubeloop.controller.fake.FakeRecorder;
import io.kubeloop.json.JsonCodec;
import io.kubeloop.runtime.testing.ManualScheduler;
import io.kubeloop.testing.Json;
import io.kubeloop.testing.ManualClock;
import io.kubeloop.transport.memory.EmbeddedApiServer;
import io.kubeloop.workqueue.WorkQueueConfig;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * A cache that shows nothing is trusted no longer after a minute, also if the machine's clock was set back meanwhile.
 */
class ClockSetBackTest {

    private final EmbeddedApiServer server = EmbeddedApiServer.builder().build();
    private final KubeClient client = KubeClient.of(server.transport(), JsonCodec.standard());
    private final SharedInformerFactory informers =
            SharedInformers.factory(KubeClient.of(new NoPodEvents(server.transport()), JsonCodec.standard()));
    private final ManualClock wall = new ManualClock(Instant.parse("2026-01-01T12:00:00Z"));
    private final ManualScheduler steady = new ManualScheduler();
    private final ReplicaSetController<ReplicaSet> controller = ReplicaSetController.ofReplicaSets(
            new ControllerContext(
                    name -> client,
                    informers,
                    wall,
                    Thread::new,
                    name -> WorkQueueConfig.named(name).withScheduler(steady),
                    component -> new FakeRecorder()),
            ReplicaSetControllerConfig.DEFAULT);

    @AfterEach
    void close() {
        controller.shutDown();
        controller.awaitTermination(Duration.ofSeconds(20));
        informers.close();
        server.close();
    }

    @Test
    void silentCache_clockSetBackAnHour_podsAreListedAfterAMinute() {
        controller.start(1);
        informers.start();
        client.resource(ResourceTypes.REPLICA_SETS)
                .create(new Harness<>(new ReplicaSetKind(), wall.instant(), 1).owner(Json.parse("""
                        {"apiVersion":"apps/v1","kind":"ReplicaSet","metadata":{"name":"api","namespace":"default"},
                         "spec":{"replicas":1,"selector":{"matchLabels":{"app":"api"}},
                                 "template":{"metadata":{"labels":{"app":"api"}},
                                             "spec":{"containers":[{"name":"c","image":"registry.example/api:1"}]}}}\
                        }""")));
        await("the first pod").until(() -> pods().size() == 1);
        ObjectName first = pods().get(0).objectName();
        ResourceClient<Pod> pods = client.resource(ResourceTypes.PODS);
        pods.delete(first, DeleteOptions.DEFAULT);

        wall.advance(Duration.ofHours(-1));

        AtomicInteger changes = new AtomicInteger();
        await("a second pod").until(() -> {
            steady.advance(WriteBarrier.PATIENCE);
            client.resource(ResourceTypes.REPLICA_SETS)
                    .patch(new ObjectName("default", "api"), change(changes.incrementAndGet()));
            return pods().stream().anyMatch(pod -> !pod.objectName().equals(first));
        });
    }

    /** A change of the owner queues it. */
    private static Patch change(int number) {
        return Patch.merge("{\"metadata\":{\"annotations\":{\"change\":\"" + number + "\"}}}");
    }

    private List<Pod> pods() {
        return client.resource(ResourceTypes.PODS)
                .list("default", ListOptions.NONE)
                .items();
    }

    /** Shows lists of pods as they are, and nothing that happens to them. */
    private record NoPodEvents(Transport delegate) implements Transport {

        @Override
        public ApiResponse execute(ApiRequest request) {
            return delegate.execute(request);
        }

        @Override
        public ApiStream stream(ApiRequest request) {
            ApiStream stream = delegate.stream(request);
            return request.path().endsWith("/pods") ? new Silent(stream) : stream;
        }

        @Override
        public void close() {
            delegate.close();
        }
    }

    /** Tells of versions alone, such as that of the first list; the next one would come after a minute. */
    private record Silent(ApiStream delegate) implements ApiStream {

        @Override
        public int code() {
            return delegate.code();
        }

        @Override
        public Map<String, List<String>> headers() {
            return delegate.headers();
        }

        @Override
        public byte @Nullable [] next() {
            byte[] frame = delegate.next();
            while (frame != null && !new String(frame, StandardCharsets.UTF_8).contains("BOOKMARK")) {
                frame = delegate.next();
            }
            return frame;
        }

        @Override
        public void close() {
            delegate.close();
        }
    }
}
