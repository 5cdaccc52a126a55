/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.cache;

import static io.kubeloop.cache.fake.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kubeloop.api.ObjectName;
import io.kubeloop.api.selector.LabelSelectors;
import io.kubeloop.api.selector.Selector;
import io.kubeloop.cache.InformerHealth.HandlerHealth;
import io.kubeloop.cache.Lister.NamespaceLister;
import io.kubeloop.cache.dispatch.BacklogMonitor;
import io.kubeloop.cache.fake.MirrorHandler;
import io.kubeloop.cache.fake.RecordingHandler;
import io.kubeloop.cache.fake.ScriptedSource;
import io.kubeloop.cache.fake.Thing;
import io.kubeloop.runtime.testing.ManualScheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The whole pipeline on a scripted server, in stepped time; long because the script and its helpers serve every test.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SharedInformerTest {

    private final ManualScheduler scheduler = new ManualScheduler();
    private final ScriptedSource source = new ScriptedSource();
    private final InformerConfig config =
            InformerConfig.DEFAULT.withScheduler(scheduler).withRandom(() -> 0).withStreamingList(false);
    private final SharedInformer<Thing> informer = SharedInformers.informer(Thing.TYPE, source, config);

    @AfterEach
    void close() {
        informer.close();
        assertThat(source.openStreams).hasValue(0);
    }

    @Test
    void start_listAndWatch_fillsCacheAndTellsHandler() throws Exception {
        // RE-21, RE-50, CT-05, CT-10, HS-01, RG-02, RG-07, KEY-09, RE-36, RE-54, RE-80, FA-03
        RecordingHandler handler = new RecordingHandler();
        Registration registration = informer.addHandler(handler);
        source.list("10", Thing.of("n/a", "3"), Thing.of("m/b", "5"));
        informer.start();
        assertThat(handler.take(2)).containsExactly("add n/a@3 initial", "add m/b@5 initial");
        ScriptedSource.Stream watch = source.nextWatch();
        watch.added(Thing.of("n/c", "11"))
                .modified(Thing.of("n/a", "12", "x"))
                .deleted(Thing.of("m/b", "13"))
                .bookmark("20");
        assertThat(handler.take(3)).containsExactly("add n/c@11", "update n/a@3 -> n/a@12=x", "delete m/b@13");
        assertThat(source.takeRequests()).containsExactly("list rv=0 limit=500", "watch rv=10");
        await().until(() -> informer.lastSyncResourceVersion().equals("20"));
        await().until(registration::hasSynced);
        assertThat(informer.hasSynced()).isTrue();
        assertThat(informer.lister().list("n")).hasSize(2);
        assertThat(informer.lister().list()).hasSize(2);
        assertThat(informer.byIndex(Indexers.NAMESPACE, "m")).isEqualTo(List.of());
    }

    private void startWith(Thing... things) {
        source.list("10", things);
        informer.start();
        await().until(source::isExhausted);
        await().until(informer::hasSynced);
    }

    // Handlers that come and go

    @Test
    void addHandler_late_getsTheCacheThenWhatChanges_I4() throws Exception {
        // RG-02, RG-07
        startWith(Thing.of("n/a", "1"), Thing.of("n/b", "2"));
        source.latest().modified(Thing.of("n/a", "11"));
        await().until(() ->
                informer.lister().get(new ObjectName("n", "a")).version().equals("11"));
        RecordingHandler late = new RecordingHandler();
        Registration registration = informer.addHandler(late);
        source.latest().modified(Thing.of("n/b", "12"));
        assertThat(late.take(2)).containsExactlyInAnyOrder("add n/a@11 initial", "add n/b@2 initial");
        assertThat(late.take(1)).containsExactly("update n/b@2 -> n/b@12");
        await().until(registration::hasSynced);
    }

    @Test
    void addHandler_duringTraffic_noUpdateBeforeItsAddAndNoSecondAdd_I4() throws Exception {
        startWith(Thing.of("n/a", "1"));
        List<MirrorHandler> handlers = new ArrayList<>();
        for (int i = 0; i < 3_000; i++) {
            String key = "n/" + (i % 20);
            String version = String.valueOf(20 + i);
            if (i % 7 == 3) {
                source.latest().deleted(Thing.of(key, version));
            } else {
                source.latest().modified(Thing.of(key, version));
            }
            if (i % 100 == 0) {
                handlers.add(new MirrorHandler());
                informer.addHandler(handlers.get(handlers.size() - 1));
            }
        }
        await().until(source::isExhausted);
        await().until(() -> informer.health().queued() == 0);
        await().until(() -> informer.health().handlers().stream().allMatch(handler -> handler.pending() == 0));
        for (MirrorHandler handler : handlers) {
            assertThat(handler.faults()).isEmpty();
            assertThat(handler.mirror.values())
                    .containsExactlyInAnyOrderElementsOf(informer.lister().list());
        }
    }

    @Test
    void deletionsWhileTheWatchWasDown_areToldOnceAsUnseen_I2() throws Exception {
        // CT-08, KEY-07
        RecordingHandler handler = new RecordingHandler();
        informer.addHandler(handler);
        startWith(Thing.of("n/a", "1"), Thing.of("n/b", "2"), Thing.of("n/c", "3"));
        handler.take(3);
        source.list("30", Thing.of("n/b", "2"));
        source.latest().deleted(Thing.of("n/c", "12")).error(410, "Expired");
        assertThat(handler.take(1)).containsExactly("delete n/c@12");
        await().until(() -> informer.health().state() == ReflectorState.BACKING_OFF && scheduler.waiting() > 0);
        scheduler.advance(Duration.ofSeconds(2));
        assertThat(handler.take(1)).containsExactly("delete n/a@1 unseen");
        await().until(source::isExhausted);
        assertThat(handler.calls).isEmpty();
    }

    @Test
    void deletionOfAnObjectNobodyWasTold_isNotTold_I4() throws Exception {
        // CT-06
        RecordingHandler handler = new RecordingHandler();
        informer.addHandler(handler);
        startWith();
        source.latest().deleted(Thing.of("n/unknown", "11")).added(Thing.of("n/a", "12"));
        assertThat(handler.take(1)).containsExactly("add n/a@12");
    }

    @Test
    void removedHandler_isToldNothingMore() throws Exception {
        // RG-04
        RecordingHandler leaving = new RecordingHandler();
        RecordingHandler staying = new RecordingHandler();
        Registration registration = informer.addHandler(leaving);
        informer.addHandler(staying);
        startWith(Thing.of("n/a", "1"));
        leaving.take(1);
        registration.close();
        registration.close();
        source.latest().modified(Thing.of("n/a", "11"));
        staying.take(2);
        assertThat(leaving.calls).isEmpty();
        assertThat(informer.health().handlers()).hasSize(1);
    }

    @Test
    void oneHandlerRegisteredTwice_isTwoRegistrations_RG01() throws Exception {
        RecordingHandler handler = new RecordingHandler();
        Registration first = informer.addHandler(handler);
        informer.addHandler(handler);
        startWith(Thing.of("n/a", "1"));
        assertThat(handler.take(2)).containsExactly("add n/a@1 initial", "add n/a@1 initial");
        first.close();
        source.latest().modified(Thing.of("n/a", "11"));
        assertThat(handler.take(1)).containsExactly("update n/a@1 -> n/a@11");
        source.latest().modified(Thing.of("n/a", "12"));
        assertThat(handler.take(1)).containsExactly("update n/a@11 -> n/a@12");
    }

    @Test
    void start_again_doesNothing_SI01() throws Exception {
        startWith(Thing.of("n/a", "1"));
        informer.start();
        source.latest().added(Thing.of("n/b", "11"));
        await().until(() -> informer.lister().list().size() == 2);
        assertThat(source.takeRequests()).containsExactly("list rv=0 limit=500", "watch rv=10");
    }

    @Test
    void handler_findsTheStoreAtLeastAsFarAsWhatItIsTold_CT07() throws Exception {
        List<String> behind = new CopyOnWriteArrayList<>();
        RecordingHandler looking = new RecordingHandler() {
            @Override
            public void onUpdate(Thing oldObject, Thing newObject) {
                Thing stored = informer.lister().get(newObject.objectName());
                if (Integer.parseInt(stored.version()) < Integer.parseInt(newObject.version())) {
                    behind.add(stored + " is behind " + newObject);
                }
                super.onUpdate(oldObject, newObject);
            }
        };
        informer.addHandler(looking);
        startWith(Thing.of("n/a", "1"));
        for (int version = 11; version < 511; version++) {
            source.latest().modified(Thing.of("n/a", String.valueOf(version)));
        }
        looking.take(501);
        assertThat(behind).isEmpty();
    }

    // Sync of a registration

    @Test
    void registrationHasSynced_onlyWhenItsHandlerIsThroughTheFirstList_I5() throws Exception {
        // HS-02, FA-07, HS-01
        CountDownLatch goOn = new CountDownLatch(1);
        List<String> handled = new CopyOnWriteArrayList<>();
        Registration slow = informer.addHandler(new RecordingHandler() {
            @Override
            public void onAdd(Thing object, boolean isInInitialList) {
                awaitLatch(goOn);
                handled.add(object.key());
            }
        });
        Registration quick = informer.addHandler(new RecordingHandler());
        assertThat(quick.hasSynced()).isFalse();
        startWith(Thing.of("n/a", "1"), Thing.of("n/b", "2"));
        await().until(quick::hasSynced);
        assertThat(slow.hasSynced()).isFalse();
        assertThat(slow.pending()).isEqualTo(2);
        goOn.countDown();
        await().until(slow::hasSynced);
        assertThat(handled).containsExactly("n/a", "n/b");
    }

    @Test
    void registrationHasSynced_handlerThatThrows_isThroughNevertheless_I5() throws Exception {
        // HS-03
        Registration failing = informer.addHandler(new RecordingHandler() {
            @Override
            public void onAdd(Thing object, boolean isInInitialList) {
                throw new IllegalStateException("scripted");
            }
        });
        startWith(Thing.of("n/a", "1"));
        await().until(failing::hasSynced);
    }

    @Test
    void awaitSync_ofInformerAndRegistration_waitForEachTheirOwn_HS04() throws Exception {
        CountDownLatch goOn = new CountDownLatch(1);
        Registration slow = informer.addHandler(new RecordingHandler() {
            @Override
            public void onAdd(Thing object, boolean isInInitialList) {
                awaitLatch(goOn);
            }
        });
        Registration removed = informer.addHandler(new RecordingHandler());
        assertThatThrownBy(() -> informer.awaitSync(Duration.ZERO))
                .isInstanceOf(CacheSyncTimeoutException.class)
                .hasMessage("cache not filled within PT0S: things.example.com: NEW, no error so far");
        removed.close();
        assertThatThrownBy(() -> removed.awaitSync(Duration.ofHours(1)))
                .isInstanceOf(CacheSyncTimeoutException.class)
                .hasMessageContaining("handler RecordingHandler has not handled the first list before it was removed");
        source.list("10", Thing.of("n/a", "1"));
        informer.start();
        informer.awaitSync(Duration.ofHours(1));
        assertThatThrownBy(() -> slow.awaitSync(Duration.ZERO))
                .isInstanceOf(CacheSyncTimeoutException.class)
                .hasMessageContaining("has not handled the first list within PT0S: 1 notifications are pending");
        goOn.countDown();
        slow.awaitSync(Duration.ofHours(1));
        assertThat(slow.hasSynced()).isTrue();
    }

    @Test
    void closeAndAwait_waitsForTheRunningCall_RG05() throws Exception {
        CountDownLatch running = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        List<Boolean> fromInside = new CopyOnWriteArrayList<>();
        AtomicReference<Registration> own = new AtomicReference<>();
        own.set(informer.addHandler(new RecordingHandler() {
            @Override
            public void onAdd(Thing object, boolean isInInitialList) {
                running.countDown();
                awaitLatch(goOn);
                try {
                    fromInside.add(own.get().closeAndAwait(Duration.ofHours(1)));
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            }
        }));
        Registration neverStarted = informer.addHandler(new RecordingHandler());
        assertThat(neverStarted.closeAndAwait(Duration.ofHours(1))).isTrue();
        startWith(Thing.of("n/a", "1"), Thing.of("n/b", "2"));
        running.await();
        assertThat(own.get().closeAndAwait(Duration.ofMillis(1)))
                .as("still running")
                .isFalse();
        goOn.countDown();
        assertThat(own.get().closeAndAwait(Duration.ofSeconds(20))).isTrue();
        assertThat(fromInside).as("no deadlock with itself, and no second call").containsExactly(false);
    }

    // Isolation

    @Test
    void blockedHandler_delaysNobodyElseAndItsBacklogShows_I7() throws Exception {
        // DI-01, DI-02, DI-03
        CountDownLatch goOn = new CountDownLatch(1);
        RecordingHandler blocked = new RecordingHandler() {
            @Override
            public void onAdd(Thing object, boolean isInInitialList) {
                awaitLatch(goOn);
                super.onAdd(object, isInInitialList);
            }
        };
        RecordingHandler other = new RecordingHandler();
        Registration registration = informer.addHandler(blocked);
        informer.addHandler(other);
        startWith(Thing.of("n/first", "1"));
        for (int i = 0; i < 3_000; i++) {
            source.latest().added(Thing.of("n/" + i, String.valueOf(20 + i)));
        }
        other.take(3_001);
        assertThat(informer.lister().list()).hasSize(3_001);
        assertThat(registration.pending()).isEqualTo(3_001);
        assertThat(informer.health().handlers().get(0).pending()).isEqualTo(3_001);
        await().until(() -> informer.health().handlers().get(1).behindSince() == null);
        assertThat(informer.health().handlers())
                .extracting(HandlerHealth::behindSince)
                .containsExactly(scheduler.now(), null);
        scheduler.advance(BacklogMonitor.PATIENCE);
        goOn.countDown();
        blocked.take(3_001);
        await().until(() -> registration.pending() == 0);
        await().until(() -> informer.health().handlers().get(0).behindSince() == null);
    }

    @Test
    void blockedHandler_withOnePartTakenAndOneWaiting_isBehind() {
        // DI-03
        CountDownLatch goOn = new CountDownLatch(1);
        CountDownLatch stuck = new CountDownLatch(1);
        Registration registration = informer.addHandler(new RecordingHandler() {
            @Override
            public void onAdd(Thing object, boolean isInInitialList) {
                stuck.countDown();
                awaitLatch(goOn);
            }
        });
        // The handler takes the whole list and blocks in its first call. That is less than the bound, and so are the
        // later calls.
        startWith(IntStream.range(0, 600).mapToObj(i -> Thing.of("n/" + i, "1")).toArray(Thing[]::new));
        awaitLatch(stuck);
        assertThat(informer.health().handlers().get(0).behindSince()).isNull();
        for (int i = 600; i < 1_200; i++) {
            source.latest().added(Thing.of("n/" + i, String.valueOf(20 + i)));
        }
        await().until(() -> registration.pending() == 1_200);
        await().until(() -> informer.health().handlers().get(0).behindSince() != null);
        goOn.countDown();
    }

    @Test
    void throwingHandler_damagesNobodyAndIsCounted_I7() throws Exception {
        // DI-04
        RecordingHandler failing = new RecordingHandler() {
            @Override
            public void onUpdate(Thing oldObject, Thing newObject) {
                throw new AssertionError("scripted");
            }
        };
        RecordingHandler other = new RecordingHandler();
        informer.addHandler(failing);
        informer.addHandler(other);
        startWith(Thing.of("n/a", "1"));
        source.latest()
                .modified(Thing.of("n/a", "11"))
                .modified(Thing.of("n/a", "12"))
                .deleted(Thing.of("n/a", "13"));
        other.take(4);
        assertThat(failing.take(2)).containsExactly("add n/a@1 initial", "delete n/a@13");
        await().until(() -> informer.health().handlers().get(0).delivered() == 4);
        assertThat(informer.health().handlers())
                .extracting(HandlerHealth::failed)
                .containsExactly(2L, 0L);
    }

    @Test
    void handlerThatLeavesTheInterruptFlagSet_isCalledOn_I7() throws Exception {
        List<Boolean> flags = new CopyOnWriteArrayList<>();
        RecordingHandler interrupting = new RecordingHandler() {
            @Override
            public void onAdd(Thing object, boolean isInInitialList) {
                flags.add(Thread.currentThread().isInterrupted());
                super.onAdd(object, isInInitialList);
                Thread.currentThread().interrupt();
            }
        };
        informer.addHandler(interrupting);
        startWith(Thing.of("n/a", "1"), Thing.of("n/b", "2"));
        source.latest().added(Thing.of("n/c", "11"));
        interrupting.take(3);
        assertThat(flags).containsOnly(false);
    }

    // Resync

    @Test
    void resync_handlersDue_areShownTheCacheWithoutARequest() throws Exception {
        // RS-01, RS-02, RS-03, RS-04, RS-05, CT-09, RE-70, RE-71
        RecordingHandler never = new RecordingHandler();
        RecordingHandler ten = new RecordingHandler();
        SharedInformer<Thing> resyncing =
                SharedInformers.informer(Thing.TYPE, source, config.withResyncPeriod(Duration.ofSeconds(30)));
        try (resyncing) {
            resyncing.addHandler(never, Duration.ZERO);
            resyncing.addHandler(ten, Duration.ofSeconds(10));
            source.list("10", Thing.of("n/a", "1"));
            resyncing.start();
            ten.take(1);
            never.take(1);
            await().until(source::isExhausted);
            RecordingHandler tooOften = new RecordingHandler();
            resyncing.addHandler(tooOften, Duration.ofSeconds(1));
            tooOften.take(1);
            source.takeRequests();
            scheduler.advance(Duration.ofSeconds(10));
            assertThat(ten.take(1)).containsExactly("update n/a@1 -> n/a@1");
            assertThat(tooOften.take(1)).as("raised to the check period").containsExactly("update n/a@1 -> n/a@1");
            source.latest().modified(Thing.of("n/a", "11"));
            assertThat(never.take(1)).containsExactly("update n/a@1 -> n/a@11");
            assertThat(source.takeRequests()).isEmpty();
        }
    }

    // Listers

    @Test
    void lister_ofANamespace_readsThatNamespace() throws Exception {
        startWith(Thing.of("n/a", "1", "x"), Thing.of("n/b", "2", "y"), Thing.of("m/a", "3", "x"));
        NamespaceLister<Thing> lister = informer.lister().namespace("n");
        assertThat(lister.list()).extracting(Thing::key).containsExactlyInAnyOrder("n/a", "n/b");
        assertThat(lister.list(thing -> thing.value().equals("x")))
                .extracting(Thing::key)
                .containsExactly("n/a");
        assertThat(lister.get("b")).isEqualTo(Thing.of("n/b", "2", "y"));
        assertThat(lister.get("c")).isNull();
        assertThat(informer.lister().namespace("").list()).as("LI-02").hasSize(3);
        assertThat(informer.lister().list("n", Lister.labeled(Selector.EVERYTHING)))
                .hasSize(2);
        assertThat(informer.lister().list("n", Lister.labeled(LabelSelectors.parse("app"))))
                .as("LI-01")
                .isEmpty();
    }

    // Transforms

    @Test
    void transform_runsOncePerObjectBeforeAnybodySeesIt() throws Exception {
        // TR-01, TR-02, SI-04
        AtomicInteger runs = new AtomicInteger();
        informer.setTransform(thing -> {
            runs.incrementAndGet();
            return Thing.of(thing.key(), thing.version(), "changed");
        });
        RecordingHandler handler = new RecordingHandler();
        informer.addHandler(handler);
        startWith(Thing.of("n/a", "1"));
        source.latest().deleted(Thing.of("n/a", "11"));
        assertThat(handler.take(2)).containsExactly("add n/a@1=changed initial", "delete n/a@11=changed");
        assertThat(runs).hasValue(2);
        assertThatThrownBy(() -> informer.setTransform(thing -> thing)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void transform_failsOnAnEvent_theOthersGoOn() throws Exception {
        // RE-53, TR-03
        informer.setTransform(thing -> {
            if (thing.value().equals("bad")) {
                throw new IllegalStateException("scripted");
            }
            return thing;
        });
        RecordingHandler handler = new RecordingHandler();
        informer.addHandler(handler);
        startWith();
        source.latest().added(Thing.of("n/a", "11", "bad")).added(Thing.of("n/b", "12"));
        assertThat(handler.take(1)).containsExactly("add n/b@12");
        await().until(() -> informer.lastSyncResourceVersion().equals("12"));
        assertThat(informer.health().lastError()).hasMessage("scripted");
    }

    // Indices

    @Test
    void addIndexers_whileRunning_indexesWhatIsThereAndWhatComes() throws Exception {
        // IX-06, IX-07
        startWith(Thing.of("n/a", "1", "x"));
        informer.addIndexers(Map.of("value", thing -> List.of(thing.value())));
        assertThat(informer.byIndex("value", "x")).hasSize(1);
        source.latest().modified(Thing.of("n/a", "11", "y"));
        await().until(() -> informer.byIndex("value", "y").size() == 1);
        assertThat(informer.byIndex("value", "x")).isEmpty();
        assertThatThrownBy(() -> informer.byIndex("unknown", "x"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("\"unknown\"");
    }

    @Test
    void indexFunctionThatFails_costsItsIndexAndNothingElse() throws Exception {
        // IX-02
        informer.addIndexers(Map.of("broken", thing -> {
            throw new IllegalStateException("scripted");
        }));
        RecordingHandler handler = new RecordingHandler();
        informer.addHandler(handler);
        startWith(Thing.of("n/a", "1"));
        source.latest().added(Thing.of("n/b", "11"));
        handler.take(2);
        assertThat(informer.lister().list("n")).hasSize(2);
    }

    static void awaitLatch(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
