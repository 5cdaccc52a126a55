/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.app;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.core.Pod;
import io.kubeloop.cache.DeletedFinalStateUnknown;
import io.kubeloop.cache.DeletedObject;
import io.kubeloop.cache.InformerConfig;
import io.kubeloop.cache.ReflectorState;
import io.kubeloop.cache.Registration;
import io.kubeloop.cache.ResourceEventHandler;
import io.kubeloop.cache.SharedInformer;
import io.kubeloop.cache.SharedInformerFactory;
import io.kubeloop.cache.SharedInformers;
import io.kubeloop.json.JsonCodec;
import io.kubeloop.runtime.testing.ManualScheduler;
import io.kubeloop.testing.ThreadLeakCheck;
import io.kubeloop.transport.http.ClientConfig;
import io.kubeloop.transport.http.OkHttpTransport;
import io.kubeloop.workqueue.DelayingQueue;
import io.kubeloop.workqueue.WorkQueueConfig;
import io.kubeloop.workqueue.WorkQueues;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Runs the faults that break other clients through the HTTP transport and a whole informer. No change is lost or
 * reported twice, the server receives few requests, and no thread is left. The test advances the time, so a minute
 * of a failing server takes milliseconds and the number of its requests is exact.
 */
@ExtendWith(ThreadLeakCheck.class)
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Isolated("looks at all threads")
class FaultProbesTest {

    private static final int PODS = 20;

    /** Counts what it is told, and what it should never have been told. */
    private static class Recorder implements ResourceEventHandler<Pod> {

        final Map<String, Long> known = new ConcurrentHashMap<>();
        final AtomicInteger updates = new AtomicInteger();
        final AtomicInteger unseenDeletions = new AtomicInteger();
        final AtomicInteger wrong = new AtomicInteger();

        @Override
        public void onAdd(Pod pod, boolean isInInitialList) {
            if (known.put(pod.metadata().name(), version(pod)) != null) {
                wrong.incrementAndGet();
            }
        }

        @Override
        public void onUpdate(Pod before, Pod pod) {
            updates.incrementAndGet();
            Long last = known.put(pod.metadata().name(), version(pod));
            if (last == null || last > version(pod)) {
                wrong.incrementAndGet();
            }
        }

        @Override
        public void onDelete(DeletedObject<Pod> deleted) {
            // What is known comes last: it is what tests wait for.
            if (deleted instanceof DeletedFinalStateUnknown) {
                unseenDeletions.incrementAndGet();
            }
            if (known.remove(deleted.name().name()) == null) {
                wrong.incrementAndGet();
            }
        }

        private static long version(Pod pod) {
            return Long.parseLong(pod.metadata().resourceVersion());
        }
    }

    private final ProbeServer server = new ProbeServer(PODS);
    private final ManualScheduler scheduler = new ManualScheduler();
    private final KubeClient client =
            KubeClient.of(OkHttpTransport.create(ClientConfig.of(server.url())), JsonCodec.standard());
    private final Recorder recorder = new Recorder();
    private SharedInformerFactory factory;
    private SharedInformer<Pod> pods;

    FaultProbesTest() throws IOException {
        use(Duration.ZERO);
    }

    private void use(Duration resync) {
        factory = SharedInformers.factory(
                client,
                InformerConfig.DEFAULT
                        .withStreamingList(false)
                        .withResyncPeriod(resync)
                        .withScheduler(scheduler)
                        .withRandom(() -> 0));
        pods = factory.informer(ResourceTypes.PODS);
    }

    @AfterEach
    void nothingIsLeft_I12() throws IOException {
        factory.close();
        client.close();
        server.close();
        assertThat(recorder.wrong).as("notifications that should not have been").hasValue(0);
        assertThat(server.openWatches()).isZero();
    }

    private static void await(Callable<Boolean> condition) {
        Awaitility.await()
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(2))
                .atMost(Duration.ofSeconds(30))
                .until(condition);
    }

    /** Lets time pass until the condition holds. */
    private void awaitInTime(Callable<Boolean> condition) {
        await(() -> {
            scheduler.advance(Duration.ofMillis(100));
            return condition.call();
        });
    }

    private void startAndSync() {
        pods.addHandler(recorder);
        factory.start();
        await(() -> recorder.known.size() == PODS && server.openWatches() == 1);
    }

    /**
     * Whether the reflector waits. Its state alone does not tell: it still says so when the time is up and the thread
     * not yet awake.
     */
    private boolean isBackingOff() {
        return pods.health().state() == ReflectorState.BACKING_OFF && scheduler.waiting() > 0;
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void sync_withAndWithoutStreamingLists_oneListAndOneWatch(boolean streaming) {
        factory.close();
        factory = SharedInformers.factory(
                client, InformerConfig.DEFAULT.withStreamingList(streaming).withScheduler(scheduler));
        pods = factory.informer(ResourceTypes.PODS);
        startAndSync();
        assertThat(server.lists()).isEqualTo(1);
        assertThat(server.watchRequests())
                .as("a streaming list is refused once")
                .isEqualTo(streaming ? 2 : 1);
        assertThat(pods.lister().list()).hasSize(PODS);
    }

    @Test
    void isolation_oneHandlerNeverReturns_theOtherGetsEverything_I7() throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        AtomicInteger entered = new AtomicInteger();
        Registration stuck = pods.addHandler(new ResourceEventHandler<>() {
            @Override
            public void onUpdate(Pod before, Pod after) {
                entered.incrementAndGet();
                awaitLatch(never);
            }
        });
        startAndSync();
        for (int i = 0; i < 200; i++) {
            server.modify("p" + i % PODS, "");
        }
        await(() -> recorder.updates.get() == 200);
        await(() -> entered.get() == 1 && stuck.pending() == 200);
        never.countDown();
        await(() -> stuck.pending() == 0);
    }

    private static void awaitLatch(CountDownLatch latch) {
        try {
            assertThat(latch.await(50, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void lateHandler_whileEventsPour_getsEachObjectOnceAndNothingBackwards_I4() throws Exception {
        startAndSync();
        Thread writer = new Thread(() -> {
            for (int i = 0; i < 3_000; i++) {
                try {
                    server.modify("p" + i % PODS, "");
                } catch (IOException e) {
                    throw new IllegalStateException(e);
                }
            }
        });
        writer.start();
        List<Recorder> late = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            Recorder handler = new Recorder();
            pods.addHandler(handler);
            late.add(handler);
            int soFar = recorder.updates.get();
            await(() -> recorder.updates.get() > soFar || !writer.isAlive());
        }
        writer.join();
        await(() -> recorder.updates.get() == 3_000);
        for (Recorder handler : late) {
            await(() -> handler.known.equals(recorder.known));
            assertThat(handler.wrong).hasValue(0);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"eof", "rst"})
    void connectionThatEnds_costsAWatch_notAList_I8(String how) throws Exception {
        startAndSync();
        server.modify("p3", "");
        await(() -> recorder.updates.get() == 1);
        if (how.equals("eof")) {
            server.endWatches();
        } else {
            server.resetWatches();
        }
        await(() -> server.watchRequests() == 2 && server.openWatches() == 1);
        server.modify("p4", "");
        await(() -> recorder.updates.get() == 2);
        assertThat(server.lists()).isEqualTo(1);
    }

    @Test
    void gone_insideTheStream_costsOneListAfterAPause_I8() throws Exception {
        startAndSync();
        server.expireWatches();
        await(this::isBackingOff);
        assertThat(server.lists()).isEqualTo(1);
        awaitInTime(() -> server.lists() == 2 && server.openWatches() == 1);
        server.modify("p4", "");
        await(() -> recorder.updates.get() == 1);
        assertThat(server.lists()).isEqualTo(2);
    }

    @Test
    void gone_asAnAnswer_costsOneListAfterAPause_I8() throws Exception {
        startAndSync();
        server.failWatches("410 Gone\r\n");
        server.endWatches();
        awaitInTime(this::isBackingOff);
        server.failWatches("");
        awaitInTime(() -> server.openWatches() == 1);
        server.modify("p4", "");
        await(() -> recorder.updates.get() == 1);
        assertThat(server.lists()).isLessThanOrEqualTo(3);
    }

    @Test
    void tombstone_objectsThatVanishAcrossAList_endInOneDeletionEach_markedUnseen_I2() throws Exception {
        startAndSync();
        for (int i = 0; i < 5; i++) {
            server.remove("p" + i);
        }
        server.expireWatches();
        awaitInTime(() -> recorder.known.size() == PODS - 5);
        assertThat(recorder.unseenDeletions).hasValue(5);
        assertThat(pods.lister().list()).hasSize(PODS - 5);
    }

    @Test
    void stopThreads_afterClose_noThreadAndNoWatchOfOursIsLeft_I12() {
        Set<Thread> before = ThreadLeakCheck.ours();
        startAndSync();
        assertThat(oursBut(before).size())
                .as("reader, writer, handler; fewer to be seen if threads are virtual")
                .isLessThanOrEqualTo(3);
        factory.close();
        assertThat(oursBut(before)).isEmpty();
        await(() -> {
            server.send("MODIFIED", "p0"); // a server sees that a client is gone when it writes
            return server.openWatches() == 0;
        });
    }

    private static Set<Thread> oursBut(Set<Thread> others) {
        Set<Thread> ours = new HashSet<>(ThreadLeakCheck.ours());
        ours.removeAll(others);
        return ours;
    }

    @Test
    void shortWatch_serverClosesEachAtOnce_aMinuteCostsFewRequests_I8() throws Exception {
        startAndSync();
        server.closeWatchesAtOnce(true);
        int watches = server.watchRequests();
        int lists = server.lists();
        server.endWatches();
        for (int i = 0; i < 60; i++) {
            await(() -> isBackingOff() || pods.health().state() == ReflectorState.WATCHING);
            await(this::isBackingOff);
            scheduler.advance(Duration.ofSeconds(1));
        }
        assertThat(server.watchRequests() - watches)
                .as("watches in a minute: 0.8, 1.6, 3.2, 6.4, 12.8, 25.6 s apart")
                .isBetween(2, 9);
        assertThat(server.lists() - lists).isBetween(1, 8);
        server.closeWatchesAtOnce(false);
        awaitInTime(() -> server.openWatches() == 1);
        server.modify("p4", "");
        await(() -> recorder.updates.get() == 1);
    }

    @Test
    void listFail_500ForAWhile_backsOff_andSyncsAfterwards_I8() {
        server.failLists("500 Internal Server Error\r\n");
        pods.addHandler(recorder);
        factory.start();
        for (int i = 0; i < 12; i++) {
            await(this::isBackingOff);
            scheduler.advance(Duration.ofSeconds(1));
        }
        await(this::isBackingOff);
        assertThat(server.lists()).as("lists in 12 s").isBetween(3, 6);
        assertThat(pods.hasSynced()).isFalse();
        server.failLists("");
        awaitInTime(() -> recorder.known.size() == PODS);
    }

    @Test
    void watchFail_500ForAWhile_backsOff_andLosesNothing_I8() throws Exception {
        startAndSync();
        server.failWatches("500 Internal Server Error\r\n");
        server.endWatches();
        server.put("p4", "");
        for (int i = 0; i < 12; i++) {
            awaitInTime(this::isBackingOff);
            scheduler.advance(Duration.ofSeconds(1));
        }
        assertThat(server.watchRequests()).isLessThanOrEqualTo(9);
        server.failWatches("");
        awaitInTime(() -> server.openWatches() == 1 && recorder.updates.get() == 1);
        server.modify("p5", "");
        await(() -> recorder.updates.get() == 2);
    }

    @Test
    void retryAfter_isKept() {
        // Up to a minute the transport waits by itself (OkHttpTransportTest); beyond that it is the reflector's.
        server.failLists("429 Too Many Requests\r\nRetry-After: 90\r\n");
        pods.addHandler(recorder);
        factory.start();
        await(this::isBackingOff);
        server.failLists("");
        long asked = scheduler.nanoTime();
        await(() -> {
            scheduler.advance(Duration.ofSeconds(1));
            return server.lists() == 2;
        });
        assertThat(scheduler.nanoTime() - asked)
                .as("nanoseconds between the first and the second request")
                .isGreaterThanOrEqualTo(Duration.ofSeconds(90).toNanos());
        await(() -> recorder.known.size() == PODS);
    }

    @Test
    void relistResync_whatARelistFinds_isToldAtOnce_resyncsOrNot() throws Exception {
        factory.close();
        use(Duration.ofSeconds(5));
        startAndSync();
        for (int i = 0; i < 14; i++) {
            scheduler.advance(Duration.ofMillis(1200));
            server.put("p0", "");
            long wanted = server.version("p0");
            server.expireWatches();
            awaitInTime(() -> recorder.known.get("p0") == wanted);
            await(() -> server.openWatches() == 1);
        }
        assertThat(server.lists()).isEqualTo(15);
    }

    @Test
    void unknownFields_inListAndWatch_areKept_I11() throws Exception {
        String extra = ",\"futureField\":{\"deep\":[1,2.50,\"x\"]},\"annotations\":{\"a\":\"b\"}";
        server.put("p0", extra);
        startAndSync();
        server.modify("p1", extra);
        await(() -> recorder.updates.get() == 1);
        for (Pod pod : pods.lister().list()) {
            if (pod.metadata().name().matches("p[01]")) {
                assertThat(JsonCodec.standard().encode(ResourceTypes.PODS, pod))
                        .asString(UTF_8)
                        .contains("\"futureField\":{\"deep\":[1,2.50,\"x\"]}");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5, 7, 64})
    void utf8_splitAcrossChunks_isPutTogether(int bytesAtATime) throws Exception {
        String text = "Zoë Müller — 東京チーム 🚀 ";
        startAndSync();
        server.chunk(bytesAtATime);
        for (int i = 0; i < PODS; i++) {
            server.modify("p" + i, ",\"annotations\":{\"owner\":\"" + text + i + "\"}");
        }
        await(() -> recorder.updates.get() == PODS);
        assertThat(pods.lister().list())
                .allSatisfy(pod ->
                        assertThat(pod.metadata().annotations().get("owner")).startsWith(text));
    }

    @Test
    void addAfter_50_000TimesFromFourThreads_deliversEachItem() throws Exception {
        int each = 12_500;
        DelayingQueue<Integer> queue = WorkQueues.delaying(WorkQueueConfig.named("probe"));
        List<Thread> producers = new ArrayList<>();
        for (int thread = 0; thread < 4; thread++) {
            int from = thread * each;
            Random random = new Random(thread);
            Thread producer = new Thread(() -> {
                for (int i = 0; i < each; i++) {
                    queue.addAfter(from + i, Duration.ofNanos(random.nextInt(20_000_000)));
                }
            });
            producers.add(producer);
            producer.start();
        }
        boolean[] seen = new boolean[4 * each];
        for (int i = 0; i < seen.length; i++) {
            Integer item = queue.get();
            assertThat(seen[item]).as("%s came before", item).isFalse();
            seen[item] = true;
            queue.done(item);
        }
        for (Thread producer : producers) {
            producer.join();
        }
        assertThat(queue.length() + queue.delayed()).isZero();
        queue.shutDown();
    }
}
