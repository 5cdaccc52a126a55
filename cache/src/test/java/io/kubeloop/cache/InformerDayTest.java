/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.cache;

import static io.kubeloop.cache.fake.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.cache.InformerConfig.QueueKind;
import io.kubeloop.cache.fake.FakeServer;
import io.kubeloop.cache.fake.MirrorHandler;
import io.kubeloop.cache.fake.Thing;
import io.kubeloop.cache.reflector.ActiveWatch;
import io.kubeloop.runtime.Scheduler;
import io.kubeloop.runtime.testing.ManualScheduler;
import io.kubeloop.testing.HeapHistogram;
import io.kubeloop.testing.ThreadLeakCheck;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The cost of many informers in threads, and of a long run in memory. */
@ExtendWith(ThreadLeakCheck.class)
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Isolated("counts the objects of the heap")
class InformerDayTest {

    private static final int OBJECTS = 60;
    private static final Duration STEP = Duration.ofMinutes(5);
    private static final int STEPS_PER_HOUR = 12;

    /** The objects, timers, watches and threads that exist after some steps. */
    private record Held(Map<String, Long> instances, int scheduler, int watches, long threads) {}

    private final Queue<Thread> threads = new ConcurrentLinkedQueue<>();

    private Thread newThread(Runnable body) {
        Thread thread = new Thread(body);
        thread.setDaemon(true);
        threads.add(thread);
        return thread;
    }

    private long alive() {
        threads.removeIf(thread -> thread.getState() == Thread.State.TERMINATED);
        return threads.size()
                - threads.stream()
                        .filter(thread -> thread.getState() == Thread.State.NEW)
                        .count();
    }

    /**
     * A day of virtual time: objects are created, changed and deleted; bookmarks arrive; watches end at their own
     * deadline; a list follows each half an hour because the history was trimmed; resyncs happen; handlers are added
     * and removed. After 24 hours exactly as many objects exist as after one.
     */
    @ParameterizedTest
    @EnumSource(QueueKind.class)
    void aDay_withEverythingThatHappensOnOne_holdsNoMoreThanAnHour(QueueKind queue) throws InterruptedException {
        ManualScheduler scheduler = new ManualScheduler();
        FakeServer server = new FakeServer(1);
        server.getWell();
        InformerConfig config = InformerConfig.DEFAULT
                .withScheduler(scheduler)
                .withQueue(queue)
                .withResyncPeriod(Duration.ofMinutes(10))
                .withRandom(() -> 0)
                .withThreads(this::newThread);
        Held afterOneHour = null;
        try (SharedInformer<Thing> informer = SharedInformers.informer(Thing.TYPE, server, config)) {
            MirrorHandler handler = new MirrorHandler(server::isDeletion);
            Registration registration = informer.addHandler(handler);
            informer.start();
            for (int step = 1; step <= 24 * STEPS_PER_HOUR; step++) {
                passAStep(step, scheduler, server, informer, handler, registration);
                if (step == STEPS_PER_HOUR) {
                    afterOneHour = held(scheduler, server);
                }
            }
            Held afterADay = held(scheduler, server);
            assertThat(afterADay.instances()).containsExactlyEntriesOf(afterOneHour.instances());
            assertThat(afterADay).isEqualTo(afterOneHour);
            assertThat(informer.health().watches())
                    .as("watches that were opened")
                    .isGreaterThan(100);
            assertThat(handler.faults()).isEmpty();
        }
        assertThat(alive()).isZero();
        assertThat(scheduler.waiting()).isZero();
    }

    private static void passAStep(
            int step,
            ManualScheduler scheduler,
            FakeServer server,
            SharedInformer<Thing> informer,
            MirrorHandler handler,
            Registration registration)
            throws InterruptedException {
        Registration passing = informer.addHandler(new MirrorHandler(server::isDeletion));
        churn(server, step);
        if (step % 6 == 0) {
            server.trim();
            server.dropWatches(step % 12 == 0);
        }
        scheduler.advance(STEP);
        quiet(scheduler, server, informer, handler, registration);
        // Waits for its thread: a thread that is about to end is dropped one step later than one that has ended.
        assertThat(passing.closeAndAwait(Duration.ofMinutes(1))).isTrue();
    }

    /** Changes every object, or deletes and creates it again; at the end the same objects exist. */
    private static void churn(FakeServer server, int step) {
        for (int i = 0; i < OBJECTS; i++) {
            String key = "n" + i % 3 + "/" + i;
            if ((i + step) % 5 == 0) {
                server.delete(key);
            }
            server.put(key, String.valueOf(step));
        }
        server.put("n/passing" + step, "x");
        server.bookmark();
        server.delete("n/passing" + step);
    }

    private static void quiet(
            ManualScheduler scheduler,
            FakeServer server,
            SharedInformer<Thing> informer,
            MirrorHandler handler,
            Registration registration) {
        await().until(() -> {
            InformerHealth health = informer.health();
            boolean quiet = health.state() == ReflectorState.WATCHING
                    && health.queued() == 0
                    && health.lastSyncResourceVersion().equals(String.valueOf(server.version()))
                    && handler.mirror.equals(server.objects())
                    && registration.pending() == 0
                    && server.openWatches() == 1
                    && server.liveWatches() == 1;
            if (!quiet) {
                scheduler.advance(Duration.ofMillis(100));
            }
            return quiet;
        });
    }

    private Held held(ManualScheduler scheduler, FakeServer server) {
        server.trim();
        // Between two watches, a reflector holds both for a moment.
        await().until(() -> alive() <= 3 && threads.stream().allMatch(InformerDayTest::waits));
        // Objects of this test, and of statics of other tests, are excluded; so are the nodes that a queue uses again:
        // their number
        // is that of the longest queue so far, which depends on the threads, and has a limit.
        Map<String, Long> instances = new TreeMap<>(HeapHistogram.of("io.kubeloop.cache."));
        instances
                .keySet()
                .removeIf(name ->
                        name.contains("Test") || name.contains("Lambda") || name.endsWith("ChangesByKey$Changes"));
        return new Held(instances, scheduler.waiting(), server.openWatches(), alive());
    }

    private static boolean waits(Thread thread) {
        return thread.getState() == Thread.State.WAITING;
    }

    /**
     * Threads wait for hours in the frames that listed. None of these frames may hold the list, whose objects change
     * meanwhile.
     */
    @ParameterizedTest
    @CsvSource({"REAL_FIFO, true", "REAL_FIFO, false", "DELTA_FIFO, true", "DELTA_FIFO, false"})
    void whatWasListed_andHasChangedSince_isNotHeld_norAWatchThatEnded(QueueKind queue, boolean streaming) {
        FakeServer server = new FakeServer(1);
        server.getWell();
        putAll(server, "listed");
        InformerConfig config = InformerConfig.DEFAULT
                .withScheduler(new ManualScheduler())
                .withQueue(queue)
                .withStreamingList(streaming)
                .withThreads(this::newThread);
        try (SharedInformer<Thing> informer = SharedInformers.informer(Thing.TYPE, server, config)) {
            MirrorHandler handler = new MirrorHandler();
            informer.addHandler(handler);
            informer.start();
            await().until(() -> handler.mirror.equals(server.objects()));
            putAll(server, "changed");
            await().until(() -> handler.mirror.equals(server.objects()));
            server.trim();
            server.dropWatches(true);
            await().until(() -> server.liveWatches() == 1 && threads.stream().allMatch(InformerDayTest::waits));
            assertThat(instancesOf(Thing.class)).isBetween((long) OBJECTS, OBJECTS + 5L);
            assertThat(instancesOf(ActiveWatch.class)).isEqualTo(1);
        }
    }

    private static long instancesOf(Class<?> type) {
        return HeapHistogram.of(type.getName()).get(type.getName());
    }

    private static void putAll(FakeServer server, String value) {
        for (int i = 0; i < OBJECTS; i++) {
            server.put("n/" + i, value);
        }
    }

    /** The budget of docs/concurrency.md: two threads for each informer, one for each handler, one timer for all. */
    @Test
    void fiftyInformers_twoHundredHandlers_301Threads_andNoneAfterClose_I12() {
        int informers = 50;
        int handlersEach = 4;
        Scheduler scheduler = Scheduler.system(this::newThread);
        InformerConfig config = InformerConfig.DEFAULT.withScheduler(scheduler).withThreads(this::newThread);
        List<SharedInformer<Thing>> all = new ArrayList<>();
        List<FakeServer> servers = new ArrayList<>();
        List<MirrorHandler> handlers = new ArrayList<>();
        for (int i = 0; i < informers; i++) {
            FakeServer server = new FakeServer(i);
            server.getWell();
            server.put("n/a", "1");
            servers.add(server);
            SharedInformer<Thing> informer = SharedInformers.informer(Thing.TYPE, server, config);
            all.add(informer);
            for (int k = 0; k < handlersEach; k++) {
                MirrorHandler handler = new MirrorHandler();
                handlers.add(handler);
                informer.addHandler(handler);
            }
            informer.start();
        }
        servers.forEach(server -> server.put("n/b", "2"));
        await().until(() -> handlers.stream().allMatch(handler -> handler.mirror.size() == 2));
        assertThat(alive()).isEqualTo(informers * 2 + informers * handlersEach + 1);
        all.forEach(SharedInformer::close);
        scheduler.close();
        await().until(() -> alive() == 0);
        assertThat(handlers).allMatch(handler -> handler.faults().isEmpty());
    }
}
