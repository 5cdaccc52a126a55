/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.cache.reflector;

import static io.kubeloop.cache.fake.Patience.await;
import static io.kubeloop.cache.fake.ScriptedSource.page;
import static io.kubeloop.cache.fake.ScriptedSource.refusal;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kubeloop.api.Status;
import io.kubeloop.api.client.ApiException;
import io.kubeloop.api.client.EmptyPages;
import io.kubeloop.api.client.ListOptions;
import io.kubeloop.api.client.TransportException;
import io.kubeloop.api.client.TransportException.Kind;
import io.kubeloop.cache.InformerConfig;
import io.kubeloop.cache.InformerConfigBuilder;
import io.kubeloop.cache.InformerHealth;
import io.kubeloop.cache.ReflectorState;
import io.kubeloop.cache.SharedInformer;
import io.kubeloop.cache.fake.ScriptedSource;
import io.kubeloop.cache.fake.ScriptedSource.Stream;
import io.kubeloop.cache.fake.Thing;
import io.kubeloop.cache.queue.RealFifo;
import io.kubeloop.cache.runtime.InformerMeter;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The requests of a reflector after each answer: the rows of {@link ReflectorDecision} in action (RE-, I8).
 * {@link ReflectorStreamTest} covers streaming lists. Long because every row has its test.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ReflectorTest extends ReflectorFixture {

    // Lists

    @Test
    void list_fails_isTriedAgainAfterGrowingPauses_I8() throws Exception {
        // RE-10, RE-11, RE-30
        source.failList(refusal(500, "InternalError"))
                .failList(reset())
                .failList(refusal(403, "Forbidden"))
                .list("10");
        start(false);
        assertThat(source.nextRequest()).isEqualTo("list rv=0 limit=500");
        passBackoff(Duration.ofMillis(800));
        assertThat(source.nextRequest()).isEqualTo("list rv=0 limit=500");
        passBackoff(Duration.ofMillis(1600));
        assertThat(source.nextRequest()).isEqualTo("list rv=0 limit=500");
        passBackoff(Duration.ofMillis(3200));
        assertThat(source.nextRequest()).isEqualTo("list rv=0 limit=500");
        assertThat(source.nextRequest()).isEqualTo("watch rv=10");
        assertThat(running.get().health().errors()).isEqualTo(3);
    }

    @Test
    void list_tooManyRequestsWithRetryAfter_waitsThatLong() throws Exception {
        source.failList(new ApiException(
                        "GET", Status.failure(429, "TooManyRequests", "slow down"), Duration.ofSeconds(7)))
                .list("10");
        start(false);
        source.nextRequest();
        passBackoff(Duration.ofSeconds(7));
        assertThat(source.nextRequest()).isEqualTo("list rv=0 limit=500");
    }

    @Test
    void list_serverWantsYearsOfPatience_isAskedAgainAfterMinutes_I6() throws Exception {
        // A mistake of a proxy must not keep a cache empty for 31 years.
        source.failList(new ApiException(
                        "GET", Status.failure(429, "TooManyRequests", "slow down"), Duration.ofSeconds(999_999_999)))
                .list("10");
        start(false);
        source.nextRequest();
        passBackoff(Duration.ofMinutes(5));
        assertThat(source.nextRequest()).isEqualTo("list rv=0 limit=500");
    }

    @Test
    void list_withANamelessObject_isTakenWithoutIt() throws Exception {
        source.list("10", Thing.of("n/a", "1"), Thing.of("n/", "2"), Thing.of("n/b", "3"));
        SharedInformer<Thing> informer = start(false);
        assertThat(handler.take(2)).containsExactlyInAnyOrder("add n/a@1 initial", "add n/b@3 initial");
        assertThat(informer.lister().list()).hasSize(2);
    }

    @Test
    void list_expiresBetweenPages_isTakenWhole() throws Exception {
        // PG-03, PG-01, PG-02
        source.page(page("10", "next", Thing.of("n/a", "1")))
                .failList(refusal(410, "Expired"))
                .list("12", Thing.of("n/a", "1"), Thing.of("n/b", "11"));
        start(false);
        source.nextWatch();
        assertThat(source.takeRequests())
                .containsExactly("list rv=0 limit=500", "list rv= limit=500 continue=next", "list rv=0", "watch rv=12");
        assertThat(handler.take(2)).containsExactly("add n/a@1 initial", "add n/b@11 initial");
    }

    @Test
    void list_ofEndlessEmptyPages_failsAndIsRepeatedAfterBackoff() throws Exception {
        for (int page = 1; page <= EmptyPages.LIMIT; page++) {
            source.page(page("10", "t" + page));
        }
        source.list("12", Thing.of("n/a", "1"));
        start(false);
        awaitState(ReflectorState.BACKING_OFF);
        assertThat(source.takeRequests()).hasSize(EmptyPages.LIMIT);
        assertThat(running.get().health().lastError()).hasMessageContaining("1000 consecutive pages");
        passBackoff(Duration.ofMillis(800));
        assertThat(handler.take(1)).containsExactly("add n/a@1 initial");
    }

    @Test
    void list_isGoneBetweenPages_isAskedForWithoutVersion() throws Exception {
        // PG-03 is about the reason Expired alone; whatever else means too old is RE-33.
        source.page(page("10", "next", Thing.of("n/a", "1")))
                .failList(refusal(410, "Gone"))
                .list("12", Thing.of("n/b", "11"));
        start(false);
        Stream watch = source.nextWatch();
        assertThat(source.takeRequests())
                .containsExactly(
                        "list rv=0 limit=500", "list rv= limit=500 continue=next", "list rv= limit=500", "watch rv=12");
        source.list("20");
        watch.error(410, "Expired");
        passBackoff(Duration.ofMillis(800));
        assertThat(source.nextRequest()).as("the list came whole").isEqualTo("list rv=12");
    }

    @Test
    void list_ofAServerWithoutWatchCache_thatCameOnlyAfterARefusal_keepsItsPages() throws Exception {
        // RE-32: what counts is what was asked for first.
        source.failList(refusal(410, "Expired"))
                .page(page("10", "next", Thing.of("n/a", "1")))
                .page(page("10", "", Thing.of("n/b", "2")));
        assertThatTheNextListIsPaged();
    }

    @Test
    void list_ofAServerWithoutWatchCache_keepsItsPages() throws Exception {
        // RE-32
        source.page(page("10", "next", Thing.of("n/a", "1"))).page(page("10", "", Thing.of("n/b", "2")));
        assertThatTheNextListIsPaged();
    }

    private void assertThatTheNextListIsPaged() throws Exception {
        start(false);
        Stream watch = source.nextWatch();
        source.takeRequests();
        source.list("20");
        watch.error(410, "Expired");
        passBackoff(Duration.ofMillis(800));
        assertThat(source.nextRequest()).isEqualTo("list rv=10 limit=500");
    }

    @Test
    void list_atAVersionThatIsTooLarge_isAskedForWithoutVersion() throws Exception {
        // RE-33, RE-30, RE-32, RE-34: the second form of "unavailable"; the first is in the recorded vectors.
        source.list("10");
        start(false);
        Stream watch = source.nextWatch();
        source.takeRequests();
        source.failList(new ApiException(
                        "GET", Status.failure(504, "Timeout", "Too large resource version: 10, current: 3"), null))
                .list("3");
        watch.error(410, "Expired");
        passBackoff(Duration.ofMillis(800));
        source.nextWatch();
        assertThat(source.takeRequests()).containsExactly("list rv=10", "list rv=", "watch rv=3");
    }

    // Watches

    @Test
    void watch_connectionLost_costsAWatchAndNoList_I8() throws Exception {
        // RE-42, RE-54, RE-57
        source.list("10");
        start(false);
        source.nextWatch().added(Thing.of("n/a", "11")).fail(reset());
        source.nextWatch();
        assertThat(source.takeRequests()).containsExactly("list rv=0 limit=500", "watch rv=10", "watch rv=11");
    }

    @Test
    void watch_connectionLostAtOnceAgainAndAgain_backsOffThenLists() throws Exception {
        // RE-43, RE-13
        source.list("10");
        start(false);
        source.nextWatch().fail(reset());
        long pause = 800;
        for (int i = 1; i < 5; i++) {
            source.takeRequests();
            passBackoff(Duration.ofMillis(pause));
            pause *= 2;
            assertThat(source.nextRequest()).isEqualTo("watch rv=10");
            source.nextWatch().fail(reset());
        }
        source.list("12");
        passBackoff(Duration.ofMillis(pause));
        assertThat(source.nextRequest()).isEqualTo("list rv=10");
    }

    @Test
    void watch_closedAfterOneEventAgainAndAgain_backsOff_I8() throws Exception {
        // RE-42, RE-43
        // A proxy that cuts watches must not be asked hundreds of times a second.
        source.list("10");
        start(false);
        for (int i = 1; i <= 5; i++) {
            source.nextWatch().added(Thing.of("n/" + i, String.valueOf(10 + i))).end();
        }
        awaitState(ReflectorState.BACKING_OFF);
        assertThat(source.takeRequests()).hasSize(6).last().isEqualTo("watch rv=14");
        passBackoff(Duration.ofMillis(800));
        assertThat(source.nextRequest()).isEqualTo("watch rv=15");
        await().until(source::isExhausted);
        scheduler.advance(Duration.ofSeconds(1));
        source.nextWatch().end();
        assertThat(source.nextRequest()).as("one that lasts ends the suspicion").isEqualTo("watch rv=15");
    }

    @Test
    void watch_refusedWithoutConnection_isTriedAgainWithoutList() throws Exception {
        // RE-13, RE-41: one backoff for all
        source.list("10")
                .refuseWatch(new TransportException(Kind.CONNECT, "connection refused", null))
                .refuseWatch(refusal(429, "TooManyRequests"));
        start(false);
        assertThat(source.nextRequest()).startsWith("list");
        assertThat(source.nextRequest()).isEqualTo("watch rv=10");
        passBackoff(Duration.ofMillis(800));
        assertThat(source.nextRequest()).isEqualTo("watch rv=10");
        passBackoff(Duration.ofMillis(1600));
        assertThat(source.nextRequest()).isEqualTo("watch rv=10");
    }

    @Test
    void watch_neverAnswered_whileListsAre_isReplacedByLists_I6() throws Exception {
        // A proxy that holds back endless responses, or answers with a page of its own.
        source.list("10");
        for (int i = 0; i < 10; i++) {
            source.refuseWatch(new TransportException(Kind.TIMEOUT, "no answer in time", null));
        }
        start(false);
        assertThat(source.nextRequest()).startsWith("list");
        for (int pause : List.of(800, 1600, 3200, 6400, 12_800, 25_600, 30_000, 30_000, 30_000, 800)) {
            assertThat(source.nextRequest()).isEqualTo("watch rv=10");
            passBackoff(Duration.ofMillis(pause));
        }
        assertThat(source.nextRequest()).isEqualTo("list rv=10");
    }

    @Test
    void watch_aFrameIsTooLarge_costsAListAfterAPause() throws Exception {
        // The same frame would come first in every later watch, so no later frame would be read.
        source.list("10");
        start(false);
        Stream watch = source.nextWatch();
        source.takeRequests();
        watch.added(Thing.of("n/a", "11"))
                .fail(new TransportException(Kind.TOO_LARGE, "a frame is larger than allowed", null));
        passBackoff(Duration.ofMillis(800));
        assertThat(source.nextRequest()).isEqualTo("list rv=11");
        assertThat(running.get().health().lastError()).hasMessageContaining("larger than allowed");
    }

    @Test
    void watch_eventsAndBookmarksWithoutAVersion_leaveTheLastOne_I2() throws Exception {
        // A watch from no version delivers the current objects, and no deletion that happened meanwhile.
        source.list("10");
        start(false);
        source.nextWatch().added(Thing.of("n/a", "11")).bookmark("").end();
        source.nextWatch()
                .modified(Thing.of("n/a", ""))
                .deleted(Thing.of("n/a", ""))
                .end();
        source.nextWatch();
        assertThat(source.takeRequests())
                .containsExactly("list rv=0 limit=500", "watch rv=10", "watch rv=11", "watch rv=11");
    }

    @Test
    void watch_namelessObjects_arePassedOver() throws Exception {
        source.list("10");
        SharedInformer<Thing> informer = start(false);
        source.nextWatch()
                .added(Thing.of("n/", "11"))
                .modified(Thing.of("n/", "12"))
                .added(Thing.of("n/a", "13"))
                .deleted(Thing.of("n/", "14"))
                .end();
        source.nextWatch();
        assertThat(handler.take(1)).containsExactly("add n/a@13");
        assertThat(informer.lister().list()).hasSize(1);
        assertThat(source.takeRequests()).last().isEqualTo("watch rv=14");
    }

    @Test
    void watch_refusedBecauseExpired_listsAtTheLastVersion() throws Exception {
        // RE-15, RE-35, RE-41
        source.list("10").refuseWatch(refusal(410, "Expired")).list("20");
        start(false);
        source.nextRequest();
        source.nextRequest();
        passBackoff(Duration.ofMillis(800));
        assertThat(source.nextRequest()).isEqualTo("list rv=10");
        assertThat(running.get().health().lastError())
                .as("growing old is no error")
                .isNull();
    }

    @Test
    void watch_tooManyRequestsEvent_watchesAgainAfterAPause() throws Exception {
        // RE-44
        source.list("10");
        start(false);
        Stream watch = source.nextWatch();
        source.takeRequests();
        watch.added(Thing.of("n/a", "11")).error(429, "TooManyRequests");
        passBackoff(Duration.ofMillis(800));
        assertThat(source.nextRequest()).isEqualTo("watch rv=11");
    }

    @Test
    void watch_silentBeyondItsTimeout_isEndedFromThisSide_I8() throws Exception {
        // RE-03
        source.list("10");
        start(false);
        await().until(source::isExhausted);
        assertThat(source.nextRequest()).startsWith("list");
        ScriptedSource.Request request = source.requests.take();
        assertThat(request.options().timeoutSeconds()).isEqualTo(300);
        assertThat(request.options().deadline()).isEqualTo(Duration.ofSeconds(330));
        scheduler.advance(Duration.ofSeconds(329));
        assertThat(source.requests).isEmpty();
        scheduler.advance(Duration.ofSeconds(1));
        assertThat(source.nextRequest()).isEqualTo("watch rv=10");
    }

    @Test
    void watch_timeout_isDrawnBetweenTheMinimumAndTwiceThat_RE03() throws Exception {
        source.list("10");
        make(config.withRandom(() -> 0.999)).start();
        source.nextWatch();
        source.requests.take();
        assertThat(source.requests.take().options().timeoutSeconds()).isEqualTo(599);
        running.get().close();
        source.list("10");
        make(InformerConfigBuilder.builder(config)
                        .minWatchTimeout(Duration.ofMinutes(10))
                        .random(() -> 0.5)
                        .build())
                .start();
        source.nextWatch();
        source.requests.take();
        assertThat(source.requests.take().options().timeoutSeconds()).isEqualTo(900);
        assertThat(InformerConfigBuilder.builder(config)
                        .minWatchTimeout(Duration.ofMinutes(1))
                        .build()
                        .minWatchTimeout())
                .as("no less than five minutes")
                .isEqualTo(InformerConfig.MIN_WATCH_TIMEOUT);
    }

    @Test
    void requests_askForNoMoreThanTheyNeed() throws Exception {
        // RE-31, RE-40, CT-13
        SharedInformer<Thing> informer = make(config);
        assertThat(informer.lastSyncResourceVersion()).isEmpty();
        source.list("10");
        informer.start();
        source.nextWatch();
        ListOptions list = source.requests.take().options();
        assertThat(list.resourceVersionMatch()).isEmpty();
        assertThat(list.allowWatchBookmarks()).isFalse();
        assertThat(list.timeoutSeconds()).isNull();
        ListOptions watch = source.requests.take().options();
        assertThat(watch.allowWatchBookmarks()).isTrue();
        assertThat(watch.sendInitialEvents()).isNull();
        assertThat(watch.resourceVersionMatch()).isEmpty();
    }

    @Test
    void watch_thatTookASecondToOpen_isNotShort_RE47() throws Exception {
        source.list("10");
        source.slowWatch(() -> scheduler.advance(Duration.ofSeconds(1)));
        start(false);
        source.nextWatch().end();
        source.nextWatch();
        assertThat(source.takeRequests()).containsExactly("list rv=0 limit=500", "watch rv=10", "watch rv=10");
    }

    @Test
    void watch_afterAListWithoutVersion_movesOnOnlyWithTheFirstChange() throws Exception {
        // RE-55: the first events of such a watch come in no order of versions.
        source.list("");
        start(false);
        source.nextWatch().added(Thing.of("n/b", "9")).added(Thing.of("n/a", "5"));
        handler.take(2);
        assertThat(running.get().lastSyncResourceVersion()).isEmpty();
        source.latest().modified(Thing.of("n/a", "12"));
        await().until(() -> running.get().lastSyncResourceVersion().equals("12"));
    }

    @Test
    void watch_internalErrorEvent_costsAnotherWatchWhileTheBudgetLasts() throws Exception {
        // RE-45
        source.list("10");
        make(config.withInternalErrorBudget(Duration.ofSeconds(30))).start();
        source.nextWatch().error(500, "InternalError");
        Stream second = source.nextWatch();
        scheduler.advance(Duration.ofSeconds(30));
        second.error(500, "InternalError");
        Stream third = source.nextWatch();
        assertThat(source.takeRequests())
                .containsExactly("list rv=0 limit=500", "watch rv=10", "watch rv=10", "watch rv=10");
        scheduler.advance(Duration.ofSeconds(1));
        third.error(500, "InternalError");
        source.list("20");
        passBackoff(Duration.ofMillis(800));
        assertThat(source.nextRequest()).isEqualTo("list rv=10");
        assertThat(running.get().health().errors()).isEqualTo(3);
    }

    @Test
    void changesThatCouldNotBeProcessed_costAList() throws Exception {
        // CT-04: upstream goes on without them until the next list, whenever that is.
        List<Throwable> heard = new CopyOnWriteArrayList<>();
        WatchErrors errors = new WatchErrors("things", scheduler, new ErrorHint(Thing.TYPE, ""));
        errors.handleWith((name, error) -> heard.add(error));
        ResyncTimer resync = new ResyncTimer(scheduler, new ResyncTimer.Target() {
            @Override
            public Duration period() {
                return Duration.ZERO;
            }

            @Override
            public void resyncIfDue() {}
        });
        Reflector<Thing> reflector = new Reflector<>(
                "things",
                source,
                new RealFifo<>(Thing::objectName),
                thing -> thing,
                new Reflector.Observers(errors, new InformerMeter("things", scheduler)),
                resync,
                config);
        source.list("10").list("20");
        Thread thread = new Thread(reflector::run);
        thread.start();
        try {
            source.nextWatch().added(Thing.of("n/a", "11"));
            await().until(() -> reflector.progress().lastSyncResourceVersion().equals("11"));
            AssertionError lost = new AssertionError("scripted");
            reflector.listAgain(lost);
            await().until(() -> scheduler.waiting() > 0 && reflector.progress().state() == ReflectorState.BACKING_OFF);
            scheduler.advance(Duration.ofMillis(800));
            source.nextWatch();
            assertThat(source.takeRequests())
                    .containsExactly("list rv=0 limit=500", "watch rv=10", "list rv=11", "watch rv=20");
            assertThat(heard).containsExactly(lost);
        } finally {
            reflector.close();
            thread.interrupt();
            thread.join();
        }
    }

    @Test
    void transformThatThrowsAnError_failsTheListAndNotTheReflector() throws Exception {
        // TR-03, RF-16
        SharedInformer<Thing> informer = make(config);
        informer.setTransform(thing -> {
            if (thing.version().equals("1")) {
                throw new AssertionError("scripted");
            }
            return thing;
        });
        source.list("10", Thing.of("n/a", "1")).list("12", Thing.of("n/a", "11"));
        informer.start();
        source.nextRequest();
        passBackoff(Duration.ofMillis(800));
        assertThat(handler.take(1)).containsExactly("add n/a@11 initial");
    }

    @Test
    void transformThatFails_onAListWithoutVersion_leavesNoDoubtAboutTheVersion_RE30() throws Exception {
        // The server answered, so the version was not the cause, and a list without a version costs it more.
        SharedInformer<Thing> informer = make(config);
        informer.setTransform(thing -> {
            throw new IllegalStateException("scripted");
        });
        source.failList(refusal(410, "Expired")).list("10", Thing.of("n/a", "1"));
        informer.start();
        assertThat(source.nextRequest()).isEqualTo("list rv=0 limit=500");
        assertThat(source.nextRequest()).isEqualTo("list rv= limit=500");
        passBackoff(Duration.ofMillis(800));
        assertThat(source.nextRequest()).isEqualTo("list rv=0 limit=500");
    }

    @Test
    void transformThatThrowsAnError_onAStreamingList_leavesNoWatchOpen() throws Exception {
        SharedInformer<Thing> informer = make(config.withStreamingList(true));
        informer.setTransform(thing -> {
            throw new AssertionError("scripted");
        });
        informer.start();
        for (int round = 1; round <= 3; round++) {
            source.nextWatch().added(Thing.of("n/a", "1")).endOfInitialEvents("10");
            awaitState(ReflectorState.BACKING_OFF);
            await().until(() -> scheduler.waiting() == 1); // the backoff; a watch would have its deadline
            assertThat(source.openStreams).hasValue(0);
            scheduler.advance(
                    Duration.ofMillis(800L << (round - 1))); // no more, as the next stream would count as silent
        }
    }

    @Test
    void transformThatFails_onAStreamingList_closesItsWatchBeforeTheListThatFollows() throws Exception {
        SharedInformer<Thing> informer = make(config.withStreamingList(true));
        informer.setTransform(thing -> {
            if (thing.version().equals("1")) {
                throw new IllegalStateException("scripted");
            }
            return thing;
        });
        informer.start();
        source.nextWatch().added(Thing.of("n/a", "1")).endOfInitialEvents("10");
        await().until(source::isExhausted);
        assertThat(source.openStreams).hasValue(0);
        source.list("12", Thing.of("n/a", "11"));
        assertThat(handler.take(1)).containsExactly("add n/a@11 initial");
    }

    @Test
    void list_thatTakesLong_isOneListNevertheless() throws Exception {
        // RE-39: it leaves a line in the log.
        start(false);
        await().until(source::isExhausted);
        scheduler.advance(Duration.ofSeconds(11));
        source.list("10", Thing.of("n/a", "1"));
        assertThat(handler.take(1)).containsExactly("add n/a@1 initial");
        assertThat(running.get().health().lists()).isEqualTo(1);
    }

    // The watch error handler

    @Test
    void watchErrorHandler_hearsOfFailuresAndOfNothingElse_RE10() throws Exception {
        List<String> heard = new CopyOnWriteArrayList<>();
        SharedInformer<Thing> informer = make(config);
        informer.setWatchErrorHandler((name, error) -> heard.add(name + ": " + error.getMessage()));
        source.failList(refusal(500, "InternalError")).list("10");
        informer.start();
        source.nextRequest();
        passBackoff(Duration.ofMillis(800));
        source.nextWatch().added(Thing.of("n/a", "11")).fail(reset());
        Stream second = source.nextWatch();
        assertThat(heard).containsExactly("things.example.com: GET /things: 500 InternalError: scripted");
        source.refuseWatch(refusal(403, "Forbidden")).list("20");
        second.added(Thing.of("n/b", "21")).end();
        await().until(() -> heard.size() == 2);
        assertThat(heard.get(1)).isEqualTo("things.example.com: GET /things: 403 Forbidden: scripted");
        assertThatThrownBy(() -> informer.setWatchErrorHandler((name, error) -> {}))
                .as("SI-04")
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("things.example.com was started");
    }

    @Test
    void watchErrorHandler_thatThrowsAndInterrupts_damagesNothing() throws Exception {
        AtomicInteger calls = new AtomicInteger();
        SharedInformer<Thing> informer = make(config);
        informer.setWatchErrorHandler((name, error) -> {
            Thread.currentThread().interrupt();
            throw new AssertionError("scripted " + calls.incrementAndGet());
        });
        source.failList(refusal(500, "InternalError")).failList(reset()).list("10", Thing.of("n/a", "1"));
        informer.start();
        source.nextRequest();
        passBackoff(Duration.ofMillis(800));
        source.nextRequest();
        passBackoff(Duration.ofMillis(1600));
        assertThat(handler.take(1)).containsExactly("add n/a@1 initial");
        assertThat(calls).hasValue(2);
    }

    // Health

    @Test
    void health_ofARefusedWatch_saysThatTheVerbIsWatch() throws Exception {
        SharedInformer<Thing> informer = make(config);
        source.list("10").refuseWatch(refusal(403, "Forbidden"));
        informer.start();
        awaitState(ReflectorState.BACKING_OFF);
        assertThat(informer.health().errorHint())
                .startsWith("the user may not watch things.example.com: it needs a role");
    }

    @Test
    void health_tellsStateErrorsAndCounts() throws Exception {
        source.failList(refusal(403, "Forbidden")).list("10", Thing.of("n/a", "1"));
        SharedInformer<Thing> informer = start(false);
        awaitState(ReflectorState.BACKING_OFF);
        InformerHealth failing = informer.health();
        assertThat(failing.name()).isEqualTo("things.example.com");
        assertThat(failing.synced()).isFalse();
        assertThat(failing.lastError()).hasMessageContaining("403 Forbidden");
        assertThat(failing.lastErrorAt()).isEqualTo(scheduler.now());
        assertThat(failing.errorHint()).startsWith("the user may not list things.example.com: it needs a role");
        assertThat(failing.lastEventAt()).isNull();
        await().until(() -> scheduler.waiting() > 0);
        scheduler.advance(Duration.ofMillis(800));
        source.nextWatch();
        awaitState(ReflectorState.WATCHING);
        await().until(() -> informer.health().handlers().get(0).delivered() == 1);
        await().until(informer::hasSynced);
        InformerHealth well = informer.health();
        assertThat(well.synced()).isTrue();
        assertThat(well.lists()).isEqualTo(2);
        assertThat(well.watches()).isEqualTo(1);
        assertThat(well.errors()).isEqualTo(1);
        assertThat(well.objects()).isEqualTo(1);
        assertThat(well.lastEventAt()).isEqualTo(scheduler.now());
        assertThat(well.since()).isEqualTo(scheduler.now());
        informer.close();
        assertThat(informer.health().state()).isEqualTo(ReflectorState.STOPPED);
    }

    @Test
    void interrupt_leftBehindByATransform_doesNotVoidTheBackoff_C8() throws Exception {
        SharedInformer<Thing> informer = make(config);
        informer.setTransform(thing -> {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("scripted");
        });
        source.list("10", Thing.of("n/a", "1")).list("11", Thing.of("n/a", "2"));
        informer.start();
        assertThat(source.nextRequest()).isEqualTo("list rv=0 limit=500");
        passBackoff(Duration.ofMillis(800));
        assertThat(source.nextRequest()).isEqualTo("list rv=0 limit=500");
        passBackoff(Duration.ofMillis(1600));
    }

    @Test
    void interrupt_duringABackoff_doesNotShortenIt_C8() throws Exception {
        AtomicReference<Thread> reader = new AtomicReference<>();
        SharedInformer<Thing> informer = make(config);
        informer.setWatchErrorHandler((name, error) -> reader.set(Thread.currentThread()));
        source.failList(refusal(500, "InternalError"));
        informer.start();
        assertThat(source.nextRequest()).isEqualTo("list rv=0 limit=500");
        await().until(() -> scheduler.waiting() > 0);
        Runnable first = scheduler.first();
        reader.get().interrupt();
        await().until(() -> !reader.get().isInterrupted() && scheduler.waiting() == 1 && scheduler.first() != first);
        passBackoff(Duration.ofMillis(800));
        assertThat(source.nextRequest()).isEqualTo("list rv=0 limit=500");
    }
}
