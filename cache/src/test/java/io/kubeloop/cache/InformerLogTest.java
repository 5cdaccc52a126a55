/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.cache;

import static io.kubeloop.cache.fake.Patience.await;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.cache.InformerConfig.QueueKind;
import io.kubeloop.cache.dispatch.BacklogMonitor;
import io.kubeloop.cache.fake.ScriptedSource;
import io.kubeloop.cache.fake.Thing;
import io.kubeloop.runtime.testing.ManualScheduler;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Log lines about user code: failures and slowness, at most once a minute each. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Isolated("reads standard error")
class InformerLogTest {

    private static final Duration LONGER_THAN_A_MINUTE = Duration.ofSeconds(61);

    private final ManualScheduler scheduler = new ManualScheduler();
    private final ScriptedSource source = new ScriptedSource();
    private final ByteArrayOutputStream written = new ByteArrayOutputStream();
    private PrintStream before;

    /** A handler with a name, which fails. */
    private static class Failing implements ResourceEventHandler<Thing> {

        @Override
        public String handlerName() {
            return "tested";
        }

        @Override
        public void onAdd(Thing object, boolean isInInitialList) {
            throw new IllegalStateException("scripted");
        }

        @Override
        public void onUpdate(Thing oldObject, Thing newObject) {
            throw new IllegalStateException("scripted");
        }

        @Override
        public void onDelete(DeletedObject<Thing> deleted) {
            throw new IllegalStateException("scripted");
        }
    }

    /** A handler with a name that is slow in its first calls. */
    private final class Slow implements ResourceEventHandler<Thing> {

        private final Iterator<Duration> times;

        Slow(Duration... times) {
            this.times = List.of(times).iterator();
        }

        @Override
        public String handlerName() {
            return "tested";
        }

        @Override
        public void onAdd(Thing object, boolean isInInitialList) {
            if (times.hasNext()) {
                scheduler.advance(times.next());
            }
        }
    }

    @BeforeEach
    void listen() {
        before = System.err;
        System.setErr(new PrintStream(written, true, UTF_8));
    }

    @AfterEach
    void listenNoMore() {
        System.setErr(before);
    }

    private String log() {
        return written.toString(UTF_8);
    }

    private SharedInformer<Thing> informer(Duration resync) {
        return informer(QueueKind.REAL_FIFO, resync);
    }

    private SharedInformer<Thing> informer(QueueKind queue, Duration resync) {
        return SharedInformers.informer(Thing.TYPE, source, config(queue, resync));
    }

    private InformerConfig config(QueueKind queue, Duration resync) {
        return InformerConfig.DEFAULT
                .withQueue(queue)
                .withScheduler(scheduler)
                .withRandom(() -> 0)
                .withStreamingList(false)
                .withResyncPeriod(resync);
    }

    private void start(SharedInformer<Thing> informer, Thing... things) {
        source.list("10", things);
        informer.start();
        await().until(source::isExhausted);
        await().until(informer::hasSynced);
    }

    private void awaitLog(String text) {
        await().untilAsserted(() -> assertThat(log()).contains(text));
    }

    private static Thing[] things(int count) {
        return IntStream.range(0, count).mapToObj(i -> Thing.of("n/t" + i, "1")).toArray(Thing[]::new);
    }

    @Test
    void failures_areLoggedWithTheirObject_onceAMinute() throws Exception {
        try (SharedInformer<Thing> informer = informer(Duration.ZERO)) {
            Registration registration = informer.addHandler(new Failing());
            start(informer, Thing.of("n/a", "1"));
            awaitLog("handler tested failed on n/a (1 times so far)");
            scheduler.advance(LONGER_THAN_A_MINUTE);
            source.latest().added(Thing.of("n/b", "11"));
            awaitLog("handler tested failed on n/b (2 times so far)");
            scheduler.advance(LONGER_THAN_A_MINUTE);
            source.latest().modified(Thing.of("n/a", "12"));
            awaitLog("handler tested failed on n/a (3 times so far)");
            scheduler.advance(LONGER_THAN_A_MINUTE);
            source.latest().deleted(Thing.of("n/b", "13"));
            awaitLog("handler tested failed on n/b (4 times so far)");
            source.latest().added(Thing.of("n/c", "14"));
            await().until(() -> informer.lister().list().size() == 2 && registration.pending() == 0);
            assertThat(registration.closeAndAwait(Duration.ofSeconds(20))).isTrue();
            assertThat(log()).doesNotContain("(5 times so far)");
        }
    }

    @Test
    void failure_onAResync_isLoggedWithItsObject() throws Exception {
        try (SharedInformer<Thing> informer = informer(Duration.ofSeconds(30))) {
            informer.addHandler(new Failing() {
                @Override
                public void onAdd(Thing object, boolean isInInitialList) {}
            });
            start(informer, Thing.of("n/a", "1"));
            scheduler.advance(Duration.ofSeconds(30));
            awaitLog("handler tested failed on n/a (1 times so far)");
        }
    }

    @Test
    void slowCall_whileMuchWaits_isLoggedWithItsTime_DI03() throws Exception {
        try (SharedInformer<Thing> informer = informer(Duration.ZERO)) {
            Registration registration = informer.addHandler(
                    new Slow(Duration.ofMillis(100), Duration.ofMillis(101), Duration.ofMillis(300)));
            start(informer, things(1100));
            await().until(registration::hasSynced);
            assertThat(log())
                    .contains("handler tested took 101 ms for one call while 1098 notifications are pending")
                    .doesNotContain("took 100 ms", "took 300 ms");
        }
    }

    /** A log that fails to write about handlers. */
    private static final class FullDisk extends PrintStream {
        FullDisk() {
            super(new ByteArrayOutputStream(), true, UTF_8);
        }

        @Override
        public void println(String line) {
            throw new IllegalStateException("scripted: disk full");
        }
    }

    @Test
    void logThatFails_onAHandlerThatIsSlowAndBehind_costsItNoCall_I7() throws Exception {
        System.setErr(new FullDisk());
        try (SharedInformer<Thing> informer = SharedInformers.informer(
                Thing.TYPE, source, config(QueueKind.REAL_FIFO, Duration.ZERO).withThreads(body -> {
                    Thread thread = new Thread(body);
                    thread.setUncaughtExceptionHandler((from, failure) -> {}); // other tests read the log of this JVM
                    return thread;
                }))) {
            Registration registration = informer.addHandler(new Slow(Duration.ofMillis(101), Duration.ofSeconds(11)));
            start(informer, things(1100));
            await().until(registration::hasSynced);
        }
    }

    @Test
    void slowCall_whileLittleWaits_isNobodysBusiness_DI03() throws Exception {
        try (SharedInformer<Thing> informer = informer(Duration.ZERO)) {
            Registration registration = informer.addHandler(new Slow(Duration.ofSeconds(2)));
            start(informer, things(BacklogMonitor.BOUND));
            await().until(registration::hasSynced);
            assertThat(log()).doesNotContain("for one call");
        }
    }

    @ParameterizedTest
    @EnumSource(QueueKind.class)
    void indexThatFails_isLogged_onceAMinute(QueueKind queue) throws Exception {
        String failed = "an index function failed; the object is stored, but not in that index";
        try (SharedInformer<Thing> informer = informer(queue, Duration.ZERO)) {
            informer.addIndexers(Map.of("broken", thing -> {
                if (thing.version().endsWith("0")) {
                    throw new IllegalStateException("scripted " + thing.version());
                }
                return List.of();
            }));
            start(informer, Thing.of("n/a", "1"));
            source.latest().modified(Thing.of("n/a", "11"));
            await().until(() -> informer.health().storeResourceVersion().equals("11"));
            assertThat(log()).doesNotContain(failed);
            source.latest().modified(Thing.of("n/a", "20"));
            awaitLog(failed);
            source.latest().modified(Thing.of("n/a", "30"));
            source.latest().modified(Thing.of("n/a", "31"));
            await().until(() -> informer.health().storeResourceVersion().equals("31"));
            assertThat(log()).containsOnlyOnce(failed);
        }
    }

    @Test
    void indexThatFailsOnTheFirstList_isLogged() throws Exception {
        try (SharedInformer<Thing> informer = informer(Duration.ZERO)) {
            informer.addIndexers(Map.of("broken", thing -> {
                throw new IllegalStateException("scripted");
            }));
            start(informer, Thing.of("n/a", "1"));
            awaitLog("an index function failed; the object is stored, but not in that index");
        }
    }

    @Test
    void resync_requestedOfAnInformerWithoutResync_isLogged() throws Exception {
        String disabled = "handler requested a resync every PT";
        try (SharedInformer<Thing> without = informer(Duration.ZERO);
                SharedInformer<Thing> with = informer(Duration.ofSeconds(30))) {
            without.addHandler(new Failing());
            with.addHandler(new Failing(), Duration.ofSeconds(40));
            assertThat(log()).doesNotContain(disabled);
            without.addHandler(new Failing(), Duration.ofSeconds(40));
            assertThat(log()).contains(disabled + "40S, but this informer has resync disabled");
        }
    }
}
