/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.junit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.api.client.ApiResponse;
import io.kubeloop.api.client.ApiStream;
import io.kubeloop.api.client.DeleteOptions;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.client.ListOptions;
import io.kubeloop.api.core.Pod;
import io.kubeloop.cache.ResourceEventHandler;
import io.kubeloop.cache.SharedInformer;
import io.kubeloop.cache.SharedInformerFactory;
import io.kubeloop.controlplane.ControlPlane;
import io.kubeloop.controlplane.SimulatedClock;
import io.kubeloop.workqueue.PriorityWorkQueue;
import io.kubeloop.workqueue.RateLimitingQueue;
import io.kubeloop.workqueue.WorkQueueConfig;
import io.kubeloop.workqueue.WorkQueues;
import io.kubeloop.workqueue.Worker;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@KubeloopTest(frozen = true)
class ClockTest {

    private static final ObjectName WEB = new ObjectName("default", "web");

    /** JUnit initializes this field before it calls {@code @BeforeEach} methods; the clock exists already. */
    private final RateLimitingQueue<String> early = WorkQueues.rateLimiting("early");

    private static void createPod(KubeClient client, String annotations) {
        createPod(client, "web", annotations);
    }

    private static void createPod(KubeClient client, String name, String annotations) {
        post(client, "/api/v1/namespaces/default/pods", """
                {"metadata":{"name":"%s","annotations":{%s}},"spec":{"containers":[{"name":"c","image":"i"}]}\
                }""".formatted(name, annotations));
    }

    private static void post(KubeClient client, String path, String json) {
        try (ApiResponse response = client.transport()
                .execute(ApiRequest.of("POST", path, Map.of(), ApiRequest.Body.json(json.getBytes(UTF_8))))) {
            assertThat(response.code()).isEqualTo(201);
        }
    }

    @Tag("stress")
    @ParameterizedTest
    @MethodSource("io.kubeloop.junit.Rounds#all")
    void awaitQuiet_waitsForTheKubelet(int round, KubeClient client, SimulatedClock clock) {
        createPod(client, "");
        clock.awaitQuiet();

        assertThat(client.resource(ResourceTypes.PODS).get(WEB).isReady()).isTrue();
    }

    @Test
    void advance_movesTheKubelet(KubeClient client, SimulatedClock clock) {
        createPod(client, "\"sim/ready-delay-ms\":\"60000\"");
        clock.awaitQuiet();
        assertThat(client.resource(ResourceTypes.PODS).get(WEB).isReady()).isFalse();

        clock.advance(Duration.ofSeconds(59));
        assertThat(client.resource(ResourceTypes.PODS).get(WEB).isReady()).isFalse();

        clock.advance(Duration.ofSeconds(1));
        assertThat(client.resource(ResourceTypes.PODS).get(WEB).isReady()).isTrue();
    }

    @Tag("stress")
    @ParameterizedTest
    @MethodSource("io.kubeloop.junit.Rounds#all")
    void awaitQuiet_waitsForInformersAndHandlers(
            int round, KubeClient client, SharedInformerFactory informers, SimulatedClock clock) {
        SharedInformer<Pod> pods = informers.informer(ResourceTypes.PODS);
        List<ObjectName> seen = new CopyOnWriteArrayList<>();
        pods.addHandler(ResourceEventHandler.forKeys(seen::add));
        informers.start();
        for (int i = 0; i < 20; i++) {
            createPod(client, "web-" + i, "\"sim/hold\":\"true\"");
        }
        clock.awaitQuiet();

        assertThat(pods.lister().list()).hasSize(20);
        assertThat(seen).hasSizeGreaterThanOrEqualTo(20);
    }

    @Tag("stress")
    @ParameterizedTest
    @MethodSource("io.kubeloop.junit.Rounds#all")
    void awaitQuiet_waitsForTheGarbageCollector(int round, KubeClient client, SimulatedClock clock) {
        post(client, "/api/v1/namespaces/default/configmaps", "{\"metadata\":{\"name\":\"owner\"}}");
        String uid = client.resource(ResourceTypes.CONFIG_MAPS)
                .get(new ObjectName("default", "owner"))
                .metadata()
                .uid();
        post(client, "/api/v1/namespaces/default/configmaps", """
                {"metadata":{"name":"child","ownerReferences":[
                  {"apiVersion":"v1","kind":"ConfigMap","name":"owner","uid":"%s"}]}}""".formatted(uid));
        client.resource(ResourceTypes.CONFIG_MAPS).delete(new ObjectName("default", "owner"), DeleteOptions.DEFAULT);
        clock.awaitQuiet();

        assertThat(client.resource(ResourceTypes.CONFIG_MAPS)
                        .list("default", ListOptions.NONE)
                        .items())
                .extracting(map -> map.metadata().name())
                .doesNotContain("child");
    }

    @Test
    void awaitQuiet_waitsForRetriesOfOneSecond(SimulatedClock clock) {
        RateLimitingQueue<String> queue =
                WorkQueues.rateLimiting(WorkQueueConfig.named("retries").withScheduler(clock.scheduler()));
        List<Instant> tries = new CopyOnWriteArrayList<>();
        try (Worker<String> worker = Worker.start(queue, 1, Thread::new, key -> {
            tries.add(clock.now());
            if (tries.size() < 4) {
                throw new IllegalStateException("again");
            }
        })) {
            queue.add("key");
            clock.awaitQuiet();
            assertThat(tries).hasSize(4);

            queue.addAfter("later", Duration.ofMinutes(1));
            clock.awaitQuiet();
            assertThat(tries).hasSize(4);

            clock.advance(Duration.ofMinutes(1));
            assertThat(tries).hasSize(5);
            assertThat(worker).isNotNull();
        }
    }

    /** A queue that code under test makes in the ordinary way, without a word about the clock. */
    @Tag("stress")
    @ParameterizedTest
    @MethodSource("io.kubeloop.junit.Rounds#all")
    void awaitQuiet_waitsForAQueueMadeByName(int round, SimulatedClock clock) {
        RateLimitingQueue<String> queue = WorkQueues.rateLimiting("ordinary");
        List<Instant> tries = new CopyOnWriteArrayList<>();
        try (Worker<String> worker = Worker.builder(queue, key -> {
                    tries.add(clock.now());
                    if (tries.size() < 4) {
                        throw new IllegalStateException("409 Conflict");
                    }
                })
                .start()) {
            queue.add("key");
            clock.awaitQuiet();
            assertThat(tries).hasSize(4);

            queue.addAfter("later", Duration.ofHours(1));
            clock.advance(Duration.ofMinutes(59));
            assertThat(tries).hasSize(4);
            clock.advance(Duration.ofMinutes(1));
            assertThat(tries).hasSize(5);
            assertThat(worker).isNotNull();
        }
    }

    @Test
    void awaitQuiet_waitsForAQueueOfAField(SimulatedClock clock) {
        List<Instant> tries = new CopyOnWriteArrayList<>();
        try (Worker<String> worker = Worker.start(early, 1, Thread::new, key -> tries.add(clock.now()))) {
            early.addAfter("later", Duration.ofHours(1));
            clock.advance(Duration.ofHours(1));
            assertThat(tries).hasSize(1);
            assertThat(worker).isNotNull();
        }
    }

    @Test
    void awaitQuiet_waitsForAPriorityQueueMadeOnAThreadOfTheTest(SimulatedClock clock) throws Exception {
        FutureTask<PriorityWorkQueue<String>> making = new FutureTask<>(() -> WorkQueues.priority("other"));
        new Thread(making).start();
        PriorityWorkQueue<String> queue = making.get();
        CountDownLatch release = new CountDownLatch(1);
        clock.awaitQuiet(); // the control plane has started
        try (Worker<String> worker = Worker.start(queue, 1, Thread::new, key -> release.await())) {
            queue.add("key");
            assertThatIllegalStateException()
                    .isThrownBy(() -> clock.awaitQuiet(Duration.ofMillis(50)))
                    .withMessageContaining("1 in queue other");
            release.countDown();
            clock.awaitQuiet();
            assertThat(worker).isNotNull();
        }
    }

    @Test
    void awaitQuiet_namesWhatIsUnderWay(SimulatedClock clock) {
        RateLimitingQueue<String> queue =
                WorkQueues.rateLimiting(WorkQueueConfig.named("stuck").withScheduler(clock.scheduler()));
        CountDownLatch release = new CountDownLatch(1);
        clock.awaitQuiet(); // the control plane has started
        try (Worker<String> worker = Worker.start(queue, 1, Thread::new, key -> release.await())) {
            queue.add("key");
            assertThatIllegalStateException()
                    .isThrownBy(() -> clock.awaitQuiet(Duration.ofMillis(50)))
                    .withMessageContaining("1 in queue stuck");
            release.countDown();
            clock.awaitQuiet();
            assertThat(worker).isNotNull();
        }
    }

    @Test
    void awaitQuiet_ignoresAWatchOfItsOwnThread(KubeClient client, SimulatedClock clock) {
        try (ApiStream watch = client.transport().stream(ApiRequest.get("/api/v1/pods", Map.of("watch", "true")))) {
            createPod(client, "");
            clock.awaitQuiet();

            assertThat(watch.next()).isNotNull();
        }
    }

    @Test
    void frozenClock_standsStill(ControlPlane plane, SimulatedClock clock) {
        Instant before = clock.now();
        plane.client().resource(ResourceTypes.NAMESPACES).get(new ObjectName("", "default"));
        clock.awaitQuiet();
        assertThat(Duration.between(before, clock.now())).isLessThan(Duration.ofSeconds(1));

        clock.advance(Duration.ofHours(2));
        assertThat(Duration.between(before, clock.now())).isGreaterThanOrEqualTo(Duration.ofHours(2));
    }
}
