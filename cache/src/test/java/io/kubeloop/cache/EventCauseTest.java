/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.cache;

import static io.kubeloop.cache.fake.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.cache.InformerConfig.QueueKind;
import io.kubeloop.cache.fake.ScriptedSource;
import io.kubeloop.cache.fake.Thing;
import io.kubeloop.runtime.testing.ManualScheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The causes of handler calls, and the calls that unchanged objects do not cause (DI-05, DI-06). */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class EventCauseTest {

    private final ManualScheduler scheduler = new ManualScheduler();
    private final ScriptedSource source = new ScriptedSource();

    private SharedInformer<Thing> informer(QueueKind queue, boolean announceUnchanged, Duration resync) {
        return SharedInformers.informer(
                Thing.TYPE,
                source,
                InformerConfig.DEFAULT
                        .withScheduler(scheduler)
                        .withRandom(() -> 0)
                        .withStreamingList(false)
                        .withQueue(queue)
                        .withAnnounceUnchanged(announceUnchanged)
                        .withResyncPeriod(resync));
    }

    private void startAndSync(SharedInformer<Thing> informer, Thing... things) {
        source.list("10", things);
        informer.start();
        await().until(source::isExhausted);
        await().until(informer::hasSynced);
    }

    private void relist(SharedInformer<Thing> informer, String version, Thing... things) {
        source.list(version, things);
        ScriptedSource.Stream watch = source.latest();
        watch.error(410, "Expired");
        Duration pause = Duration.ofSeconds(1);
        await().until(() -> informer.health().state() == ReflectorState.BACKING_OFF && scheduler.isDueWithin(pause));
        scheduler.advance(pause);
        await().until(() -> source.latest() != watch && source.isExhausted());
    }

    @ParameterizedTest
    @EnumSource(QueueKind.class)
    void everyCall_saysWhyItIsMade(QueueKind queue) throws Exception {
        CauseRecorder handler = new CauseRecorder();
        CauseRecorder late = new CauseRecorder();
        try (SharedInformer<Thing> informer = informer(queue, false, Duration.ofSeconds(30))) {
            informer.addHandler(handler);
            startAndSync(informer, Thing.of("n/a", "1"), Thing.of("n/b", "2"));
            assertThat(handler.take(2)).containsExactlyInAnyOrder("add n/a@1 INITIAL_LIST", "add n/b@2 INITIAL_LIST");
            source.latest().modified(Thing.of("n/a", "11")).added(Thing.of("n/c", "12"));
            assertThat(handler.take(2)).containsExactly("update n/a@11 WATCH", "add n/c@12 WATCH");
            source.latest().deleted(Thing.of("n/b", "13"));
            assertThat(handler.take(1)).containsExactly("delete n/b@13 WATCH");
            informer.addHandler(late, Duration.ZERO);
            assertThat(late.take(2)).containsExactlyInAnyOrder("add n/a@11 REPLAY", "add n/c@12 REPLAY");
            relist(informer, "20", Thing.of("n/a", "18"), Thing.of("n/d", "19"));
            assertThat(handler.take(3))
                    .containsExactlyInAnyOrder("update n/a@18 RELIST", "add n/d@19 RELIST", "delete n/c@12 RELIST");
            late.take(3);
            await().until(() -> informer.health().queued() == 0); // a resync skips changes in process
            scheduler.advance(Duration.ofSeconds(30));
            assertThat(handler.take(2)).containsExactlyInAnyOrder("update n/a@18 RESYNC", "update n/d@19 RESYNC");
        }
        assertThat(handler.calls).isEmpty();
        assertThat(late.calls).isEmpty();
    }

    /** A concluded deletion carries the version of the last known state, which is not the version of the deletion. */
    @ParameterizedTest
    @EnumSource(QueueKind.class)
    void storesVersion_followsWhatWasSeen(QueueKind queue) {
        try (SharedInformer<Thing> informer = informer(queue, false, Duration.ZERO)) {
            startAndSync(informer, Thing.of("n/a", "1"), Thing.of("n/b", "2"));
            source.latest().modified(Thing.of("n/a", "11"));
            await().until(() -> informer.health().storeResourceVersion().equals("11"));
            source.latest().deleted(Thing.of("n/b", "12"));
            await().until(() -> informer.health().storeResourceVersion().equals("12"));
            source.latest().added(Thing.of("n/c", "13"));
            await().until(() -> informer.lister().list().size() == 2);
            relist(informer, "20", Thing.of("n/c", "13"));
            await().until(() -> informer.lister().list().size() == 1);
            assertThat(informer.health().storeResourceVersion()).isEqualTo(queue == QueueKind.REAL_FIFO ? "20" : "13");
        }
    }

    @ParameterizedTest
    @EnumSource(QueueKind.class)
    void unchangedObject_inAListOrEvent_isNotTold(QueueKind queue) throws Exception {
        CauseRecorder handler = new CauseRecorder();
        try (SharedInformer<Thing> informer = informer(queue, false, Duration.ZERO)) {
            informer.addHandler(handler);
            startAndSync(informer, Thing.of("n/a", "1"), Thing.of("n/b", "2"));
            handler.take(2);
            source.latest().modified(Thing.of("n/a", "1"));
            relist(informer, "20", Thing.of("n/a", "1"), Thing.of("n/b", "15"));
            assertThat(handler.take(1)).containsExactly("update n/b@15 RELIST");
            assertThat(informer.lister().list()).hasSize(2);
        }
        assertThat(handler.calls).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(QueueKind.class)
    void unchangedObject_ifAskedFor_isToldWithItsCause_DI06(QueueKind queue) throws Exception {
        CauseRecorder handler = new CauseRecorder();
        try (SharedInformer<Thing> informer = informer(queue, true, Duration.ZERO)) {
            informer.addHandler(handler);
            startAndSync(informer, Thing.of("n/a", "1"));
            handler.take(1);
            source.latest().modified(Thing.of("n/a", "1"));
            assertThat(handler.take(1)).containsExactly("update n/a@1 WATCH");
            relist(informer, "20", Thing.of("n/a", "1"));
            assertThat(handler.take(1)).containsExactly("update n/a@1 RELIST");
        }
    }

    @Test
    void unchangedObject_ifAskedFor_passesByHandlersThatAreNotDue_DI05() throws Exception {
        CauseRecorder due = new CauseRecorder();
        CauseRecorder notDue = new CauseRecorder();
        try (SharedInformer<Thing> informer = informer(QueueKind.REAL_FIFO, true, Duration.ofSeconds(30))) {
            informer.addHandler(due);
            informer.addHandler(notDue, Duration.ZERO);
            startAndSync(informer, Thing.of("n/a", "1"));
            due.take(1);
            notDue.take(1);
            scheduler.advance(Duration.ofSeconds(30));
            due.take(1);
            source.latest().modified(Thing.of("n/a", "1")).modified(Thing.of("n/a", "11"));
            assertThat(due.take(2)).containsExactly("update n/a@1 WATCH", "update n/a@11 WATCH");
            assertThat(notDue.take(1)).containsExactly("update n/a@11 WATCH");
        }
    }

    @Test
    void sameVersionWithOtherContent_isTold() throws Exception {
        CauseRecorder handler = new CauseRecorder();
        try (SharedInformer<Thing> informer = informer(QueueKind.REAL_FIFO, false, Duration.ZERO)) {
            informer.addHandler(handler);
            startAndSync(informer, Thing.of("n/a", "", "x"));
            handler.take(1);
            source.latest().modified(Thing.of("n/a", "", "x")).modified(Thing.of("n/a", "", "y"));
            assertThat(handler.take(1)).containsExactly("update n/a@=y WATCH");
        }
    }

    /** Records each call with its cause. */
    private static final class CauseRecorder implements ResourceEventHandler<Thing> {

        final BlockingQueue<String> calls = new LinkedBlockingQueue<>();

        @Override
        public void onAdd(Thing object, boolean isInInitialList, EventCause cause) {
            assertThat(isInInitialList).isEqualTo(cause == EventCause.INITIAL_LIST || cause == EventCause.REPLAY);
            calls.add("add " + object + " " + cause);
        }

        @Override
        public void onUpdate(Thing oldObject, Thing newObject, EventCause cause) {
            calls.add("update " + newObject + " " + cause);
        }

        @Override
        public void onDelete(DeletedObject<Thing> deleted, EventCause cause) {
            calls.add("delete " + deleted.lastKnown() + " " + cause);
        }

        List<String> take(int count) throws InterruptedException {
            List<String> taken = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                String call = calls.poll(20, TimeUnit.SECONDS);
                assertThat(call).as("call after %s", taken).isNotNull();
                taken.add(call);
            }
            return taken;
        }
    }
}
