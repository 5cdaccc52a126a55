/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.cache;

import static io.kubeloop.cache.fake.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kubeloop.api.ObjectName;
import io.kubeloop.cache.InformerConfig.QueueKind;
import io.kubeloop.cache.fake.ScriptedSource;
import io.kubeloop.cache.fake.Thing;
import io.kubeloop.runtime.testing.ManualScheduler;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Waits until the cache has seen the program's own write. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class AwaitObservedTest {

    private static final ObjectName A = new ObjectName("n", "a");
    private static final Duration LONG = Duration.ofHours(1);

    private final ManualScheduler scheduler = new ManualScheduler();
    private final ScriptedSource source = new ScriptedSource();

    private SharedInformer<Thing> started(QueueKind queue) {
        SharedInformer<Thing> informer = SharedInformers.informer(
                Thing.TYPE,
                source,
                InformerConfig.DEFAULT
                        .withScheduler(scheduler)
                        .withStreamingList(false)
                        .withQueue(queue));
        source.list("10", Thing.of("n/a", "8"), Thing.of("n/b", "9"));
        informer.start();
        await().until(source::isExhausted);
        await().until(informer::hasSynced);
        return informer;
    }

    /** Starts a wait on another thread, and returns once it waits. */
    private CompletableFuture<Void> waiting(SharedInformer<Thing> informer, ObjectName key, String version) {
        int before = scheduler.waiting();
        CompletableFuture<Void> observed = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            try {
                informer.awaitObserved(key, version, LONG);
                observed.complete(null);
            } catch (RuntimeException | InterruptedException e) {
                observed.completeExceptionally(e);
            }
        });
        thread.setDaemon(true);
        thread.start();
        await().until(() -> scheduler.waiting() > before || observed.isDone());
        return observed;
    }

    @ParameterizedTest
    @EnumSource(QueueKind.class)
    void versionOfTheKey_orALaterOne_endsTheWait(QueueKind queue) throws Exception {
        try (SharedInformer<Thing> informer = started(queue)) {
            informer.awaitObserved(A, "8", LONG);
            informer.awaitObserved(A, "7", LONG);
            CompletableFuture<Void> next = waiting(informer, A, "100");
            source.latest().added(Thing.of("n/c", "50")).modified(Thing.of("n/a", "99"));
            await().until(() -> informer.lister().get(A).version().equals("99"));
            assertThat(next).as("99 is before 100, as a number").isNotDone();
            source.latest().modified(Thing.of("n/a", "101"));
            next.get(20, TimeUnit.SECONDS);
        }
        assertThat(scheduler.waiting()).isZero();
    }

    @ParameterizedTest
    @EnumSource(QueueKind.class)
    void endOfTheKey_isSeenByWhatCameAfterIt(QueueKind queue) throws Exception {
        try (SharedInformer<Thing> informer = started(queue)) {
            CompletableFuture<Void> gone = waiting(informer, A, "12");
            source.latest().deleted(Thing.of("n/a", "11"));
            await().until(() -> informer.lister().get(A) == null);
            assertThat(gone).as("it might come back at 12").isNotDone();
            source.latest().bookmark("20");
            if (queue == QueueKind.DELTA_FIFO) {
                // This queue does not queue bookmarks: a received version counts as soon as nothing is queued.
                await().until(() -> informer.lastSyncResourceVersion().equals("20"));
            }
            gone.get(20, TimeUnit.SECONDS);
            informer.awaitObserved(new ObjectName("n", "never"), "20", LONG);
        }
    }

    @ParameterizedTest
    @EnumSource(QueueKind.class)
    void endOfTheKey_whileTheWatchWasDown_isSeenByTheList(QueueKind queue) throws Exception {
        try (SharedInformer<Thing> informer = started(queue)) {
            CompletableFuture<Void> gone = waiting(informer, A, "15");
            source.list("20", Thing.of("n/b", "9"));
            source.latest().error(410, "Expired");
            await().until(() -> informer.health().state() == ReflectorState.BACKING_OFF && scheduler.waiting() > 1);
            scheduler.advance(Duration.ofSeconds(2));
            gone.get(20, TimeUnit.SECONDS);
        }
    }

    @ParameterizedTest
    @EnumSource(QueueKind.class)
    void actions_runOnceInOrder_whenTheirVersionIsProcessed(QueueKind queue) {
        List<String> ran = new CopyOnWriteArrayList<>();
        try (SharedInformer<Thing> informer = started(queue)) {
            await().until(() -> informer.hasObserved("10"));
            assertThat(informer.hasObserved("11")).isFalse();
            assertThat(informer.hasObserved("no version")).isFalse();
            for (String version : List.of("100", "99", "12", "10")) {
                informer.whenObserved(version, () -> ran.add(version));
            }
            assertThat(ran).as("10 was processed before").containsExactly("10");
            source.latest().added(Thing.of("n/c", "11")).deleted(Thing.of("n/c", "99"));
            await().until(() -> ran.size() == 3);
            source.latest().bookmark("150");
            await().until(() -> ran.size() == 4);
            informer.whenObserved("200", () -> ran.add("closed"));
        }
        assertThat(ran).containsExactly("10", "12", "99", "100");
    }

    @Test
    void deadline_saysWhatWasWaitedForAndWhatWasThere() throws Exception {
        try (SharedInformer<Thing> informer = started(QueueKind.REAL_FIFO)) {
            assertThatThrownBy(() -> informer.awaitObserved(A, "11", Duration.ZERO))
                    .isInstanceOf(NotObservedException.class)
                    .hasMessage(
                            "things.example.com: n/a at version 11 was not observed within PT0S: the cache has it at"
                                    + " version 8, and everything up to version 10");
            assertThatThrownBy(() -> informer.awaitObserved(new ObjectName("n", "x"), "11", Duration.ZERO))
                    .isInstanceOf(NotObservedException.class)
                    .hasMessageContaining("the cache does not have it, and everything up to version 10");
            CompletableFuture<Void> late = waiting(informer, A, "11");
            scheduler.advance(LONG);
            assertThatThrownBy(() -> late.get(20, TimeUnit.SECONDS))
                    .isInstanceOf(ExecutionException.class)
                    .hasCauseInstanceOf(NotObservedException.class)
                    .hasMessageContaining("within PT1H");
        }
    }

    @Test
    void close_endsTheWait() throws Exception {
        SharedInformer<Thing> informer = started(QueueKind.REAL_FIFO);
        CompletableFuture<Void> observed = waiting(informer, A, "11");
        informer.close();
        assertThatThrownBy(() -> observed.get(20, TimeUnit.SECONDS))
                .hasCauseInstanceOf(NotObservedException.class)
                .hasMessageContaining("before the informer was closed");
        assertThatThrownBy(() -> informer.awaitObserved(A, "11", LONG)).isInstanceOf(NotObservedException.class);
        informer.awaitObserved(A, "8", LONG);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x", "1x", "-1", "01"})
    void whatIsNoVersion_isRefused(String version) {
        try (SharedInformer<Thing> informer = started(QueueKind.REAL_FIFO)) {
            assertThatThrownBy(() -> informer.awaitObserved(A, version, LONG))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("\"" + version + "\"");
        }
    }

    @ParameterizedTest
    @EnumSource(QueueKind.class)
    void manyWriters_eachFindTheirOwnWrite(QueueKind queue) throws Exception {
        try (SharedInformer<Thing> informer = started(queue)) {
            for (int i = 0; i < 2_000; i++) {
                ObjectName key = new ObjectName("n", "w" + i % 50);
                String version = String.valueOf(100 + i);
                source.latest().modified(Thing.of(key.toString(), version));
                informer.awaitObserved(key, version, Duration.ofHours(1));
                assertThat(informer.lister().get(key).version()).isEqualTo(version);
            }
        }
    }

    /** A server whose lists have no version: its watch starts with the current objects, in no order of versions. */
    @Test
    void initialEventsOfAWatch_sayNothingAboutOtherKeys_C6() throws Exception {
        SharedInformer<Thing> made = SharedInformers.informer(
                Thing.TYPE,
                source,
                InformerConfig.DEFAULT.withScheduler(scheduler).withStreamingList(false));
        source.list("");
        try (SharedInformer<Thing> informer = made) {
            informer.start();
            ObjectName b = new ObjectName("n", "b");
            source.nextWatch().added(Thing.of("n/a", "100"));
            await().until(() -> informer.lister().get(A) != null);
            assertThatThrownBy(() -> informer.awaitObserved(b, "90", Duration.ZERO))
                    .isInstanceOf(NotObservedException.class);
            CompletableFuture<Void> waiting = waiting(informer, b, "90");
            source.latest().added(Thing.of("n/b", "90"));
            waiting.get(20, TimeUnit.SECONDS);
            source.latest().bookmark("120");
            await().until(() -> informer.health().storeResourceVersion().equals("120"));
            informer.awaitObserved(new ObjectName("n", "gone"), "110", LONG);
        }
    }

    @Test
    void firstChangeAfterTheInitialEvents_bringsTheirOrderBack_C6() throws Exception {
        SharedInformer<Thing> made = SharedInformers.informer(
                Thing.TYPE,
                source,
                InformerConfig.DEFAULT.withScheduler(scheduler).withStreamingList(false));
        source.list("0");
        try (SharedInformer<Thing> informer = made) {
            informer.start();
            source.nextWatch().added(Thing.of("n/a", "100")).modified(Thing.of("n/a", "101"));
            await().until(source::isExhausted);
            informer.awaitObserved(new ObjectName("n", "gone"), "99", LONG);
        }
    }
}
