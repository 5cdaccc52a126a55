/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.cache;

import static io.kubeloop.cache.fake.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.ObjectName;
import io.kubeloop.cache.InformerConfig.QueueKind;
import io.kubeloop.cache.fake.RecordingHandler;
import io.kubeloop.cache.fake.ScriptedSource;
import io.kubeloop.cache.fake.ScriptedSource.Request;
import io.kubeloop.cache.fake.Thing;
import io.kubeloop.runtime.testing.ManualScheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CyclicBarrier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Rules of upstream that apply to the informer as a whole; docs/rules.md describes them. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class InformerRulesTest {

    private final ManualScheduler scheduler = new ManualScheduler();
    private final ScriptedSource source = new ScriptedSource();
    private final RecordingHandler handler = new RecordingHandler();
    private final InformerConfig config = InformerConfig.DEFAULT
            .withScheduler(scheduler)
            .withRandom(() -> 0.5)
            .withStreamingList(false);
    private final List<SharedInformer<Thing>> made = new ArrayList<>();

    private SharedInformer<Thing> make(InformerConfig with) {
        SharedInformer<Thing> informer = SharedInformers.informer(Thing.TYPE, source, with);
        made.add(informer);
        return informer;
    }

    @AfterEach
    void close() {
        made.forEach(SharedInformer::close);
        assertThat(source.openStreams).hasValue(0);
    }

    @Test
    void defaults_areAStreamingListAndTheQueueThatKeepsTheOrder_FT03() throws Exception {
        assertThat(InformerConfig.DEFAULT.queue()).isEqualTo(QueueKind.REAL_FIFO);
        make(InformerConfig.DEFAULT.withScheduler(scheduler)).start();

        assertThat(source.nextRequest()).isEqualTo("stream rv=");
    }

    @Test
    void list_asksForAVersionAndAPage_andForNothingElse_RE31() throws Exception {
        make(config).start();
        source.list("10");

        Request list = source.requests.take();
        assertThat(list.toString()).isEqualTo("list rv=0 limit=500");
        assertThat(list.options().resourceVersionMatch()).isEmpty();
        assertThat(list.options().allowWatchBookmarks()).isFalse();
        assertThat(list.options().timeoutSeconds()).isNull();
    }

    @Test
    void watch_asksForTheLastVersion_bookmarks_andATimeoutByChance_RE40_RE03() throws Exception {
        make(config).start();
        source.list("10");
        source.requests.take();

        Request watch = source.requests.take();
        assertThat(watch.toString()).isEqualTo("watch rv=10");
        assertThat(watch.options().allowWatchBookmarks()).isTrue();
        assertThat(watch.options().timeoutSeconds()).as("from 300 to 600").isEqualTo(450);
        assertThat(watch.options().resourceVersionMatch()).isEmpty();
    }

    @Test
    void watch_withALongerMinimum_lastsFromThatToTwiceThat_RE03() throws Exception {
        make(InformerConfigBuilder.builder(config)
                        .minWatchTimeout(Duration.ofMinutes(10))
                        .build())
                .start();
        source.list("10");
        source.requests.take();

        assertThat(source.requests.take().options().timeoutSeconds()).isEqualTo(900);
    }

    @Test
    void shortness_ofAWatch_countsFromWhenItsRequestWasSent_RE47() throws Exception {
        Runnable aSecond = () -> scheduler.advance(Duration.ofSeconds(1));
        source.slowWatch(aSecond).slowWatch(aSecond);
        SharedInformer<Thing> informer = SharedInformers.informer(Thing.TYPE, source, config);
        made.add(informer);
        informer.start();
        source.list("10");
        source.nextWatch().end();

        source.nextWatch();
        assertThat(source.takeRequests()).containsExactly("list rv=0 limit=500", "watch rv=10", "watch rv=10");
    }

    @Test
    void lastVersion_beforeTheStart_isEmpty_CT13() {
        SharedInformer<Thing> informer = make(config);

        assertThat(informer.lastSyncResourceVersion()).isEmpty();
        assertThat(informer.hasSynced()).as("HS-01").isFalse();
    }

    @Test
    void start_aSecondTime_startsNothing_SI01_CT01() throws Exception {
        SharedInformer<Thing> informer = make(config);
        source.list("10", Thing.of("n/a", "1"));
        informer.addHandler(handler);
        informer.start();
        informer.start();
        source.nextWatch();

        assertThat(handler.take(1)).containsExactly("add n/a@1 initial");
        assertThat(source.takeRequests()).containsExactly("list rv=0 limit=500", "watch rv=10");
        assertThat(informer.health().lists()).isEqualTo(1);
    }

    @Test
    void hasSynced_afterClose_staysTrue_HS01() throws Exception {
        SharedInformer<Thing> informer = make(config);
        source.list("10", Thing.of("n/a", "1"));
        informer.start();
        await().until(informer::hasSynced);

        informer.close();

        assertThat(informer.hasSynced()).isTrue();
        assertThat(informer.lister().list()).as("the cache can still be read").hasSize(1);
    }

    @Test
    void deletedAndCreatedAnewWhileNobodyWatched_isOneUpdate_KEY08() throws Exception {
        SharedInformer<Thing> informer = make(config);
        source.list("10", Thing.of("n/a", "1", "first"));
        informer.addHandler(handler);
        informer.start();
        handler.take(1);
        source.list("30", Thing.of("n/a", "25", "second"));
        source.nextWatch().error(410, "Expired");
        await().until(() -> informer.health().state() == ReflectorState.BACKING_OFF && scheduler.waiting() > 0);
        scheduler.advance(Duration.ofSeconds(2));

        assertThat(handler.take(1)).containsExactly("update n/a@1=first -> n/a@25=second");
        source.nextWatch();
        assertThat(handler.calls).isEmpty();
    }

    @Test
    void deletedAndCreatedAnewWhileWatching_areTwoEvents_KEY08() throws Exception {
        SharedInformer<Thing> informer = make(config);
        source.list("10", Thing.of("n/a", "1", "first"));
        informer.addHandler(handler);
        informer.start();
        source.nextWatch().deleted(Thing.of("n/a", "11", "first")).added(Thing.of("n/a", "12", "second"));

        assertThat(handler.take(3))
                .containsExactly("add n/a@1=first initial", "delete n/a@11=first", "add n/a@12=second");
    }

    @Test
    void cache_isWrittenBeforeTheHandlerIsTold_CT07() throws Exception {
        SharedInformer<Thing> informer = make(config);
        List<String> seen = new CopyOnWriteArrayList<>();
        informer.addHandler(new RecordingHandler() {
            private String stored(String name) {
                Thing thing = informer.lister().get(new ObjectName("n", name));
                return thing == null ? "none" : thing.version();
            }

            @Override
            public void onAdd(Thing object, boolean isInInitialList) {
                seen.add("add " + stored("a"));
            }

            @Override
            public void onUpdate(Thing oldObject, Thing newObject) {
                seen.add("update " + stored("a"));
            }

            @Override
            public void onDelete(DeletedObject<Thing> deleted) {
                seen.add("delete " + stored("a"));
            }
        });
        source.list("10", Thing.of("n/a", "1"));
        informer.start();
        await().until(() -> seen.size() == 1);
        source.nextWatch().modified(Thing.of("n/a", "11"));
        await().until(() -> seen.size() == 2);
        source.latest().deleted(Thing.of("n/a", "12"));
        await().until(() -> seen.size() == 3);

        assertThat(seen).containsExactly("add 1", "update 11", "delete none");
    }

    @Test
    void oneHandlerRegisteredTwice_isToldTwice_andRemovedOneByOne_RG01() throws Exception {
        SharedInformer<Thing> informer = make(config);
        Registration first = informer.addHandler(handler);
        informer.addHandler(handler);
        source.list("10", Thing.of("n/a", "1"));
        informer.start();
        assertThat(handler.take(2)).containsExactly("add n/a@1 initial", "add n/a@1 initial");

        first.close();
        source.nextWatch().modified(Thing.of("n/a", "11"));

        assertThat(handler.take(1)).containsExactly("update n/a@1 -> n/a@11");
        await().until(() -> informer.health().handlers().size() == 1);
        assertThat(handler.calls).isEmpty();
    }

    @Test
    void handlersAddedWhileTheInformerStarts_missNothing_RG06() throws Exception {
        for (int round = 0; round < 30; round++) {
            ScriptedSource things = new ScriptedSource().list("10", Thing.of("n/a", "1"), Thing.of("n/b", "2"));
            try (SharedInformer<Thing> informer = SharedInformers.informer(Thing.TYPE, things, config)) {
                RecordingHandler late = new RecordingHandler();
                CyclicBarrier together = new CyclicBarrier(2);
                Thread adding = new Thread(() -> {
                    pass(together);
                    informer.addHandler(late);
                });
                adding.start();
                pass(together);
                informer.start();
                assertThat(late.take(2)).containsExactlyInAnyOrder("add n/a@1 initial", "add n/b@2 initial");
                things.nextWatch().modified(Thing.of("n/a", "11"));
                assertThat(late.take(1)).containsExactly("update n/a@1 -> n/a@11");
                adding.join();
            }
        }
    }

    private static void pass(CyclicBarrier barrier) {
        try {
            barrier.await();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void resyncPeriod_isRoundedUpToWholeChecks_RS04() throws Exception {
        SharedInformer<Thing> informer = make(config.withResyncPeriod(Duration.ofSeconds(10)));
        RecordingHandler rarely = new RecordingHandler();
        informer.addHandler(handler);
        informer.addHandler(rarely, Duration.ofSeconds(25));
        source.list("10", Thing.of("n/a", "1"));
        informer.start();
        source.nextWatch();
        handler.take(1);
        rarely.take(1);
        for (int check = 1; check <= 6; check++) {
            scheduler.advance(Duration.ofSeconds(10));
            assertThat(handler.take(1)).containsExactly("update n/a@1 -> n/a@1");
            if (check % 3 == 0) {
                assertThat(rarely.take(1)).as("check %d", check).containsExactly("update n/a@1 -> n/a@1");
            }
            assertThat(rarely.calls).as("check %d", check).isEmpty();
        }
    }
}
