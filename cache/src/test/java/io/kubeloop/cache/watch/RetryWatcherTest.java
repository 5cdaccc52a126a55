/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.cache.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

import io.kubeloop.api.Status;
import io.kubeloop.api.StatusBuilder;
import io.kubeloop.api.StatusDetailsBuilder;
import io.kubeloop.api.StatusReason;
import io.kubeloop.api.client.ApiException;
import io.kubeloop.api.client.DecodeException;
import io.kubeloop.api.client.ListOptions;
import io.kubeloop.api.client.TransportException;
import io.kubeloop.api.client.WatchEvent;
import io.kubeloop.cache.fake.ScriptedSource;
import io.kubeloop.cache.fake.Thing;
import io.kubeloop.runtime.testing.ManualScheduler;
import io.kubeloop.testing.ThreadLeakCheck;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(ThreadLeakCheck.class)
class RetryWatcherTest {

    private static final String END = "end";

    private final ManualScheduler scheduler = new ManualScheduler();
    private final ScriptedSource source = new ScriptedSource();
    private final RetryWatcher<Thing> watcher = new RetryWatcher<>("7", source, scheduler);
    private final BlockingQueue<Object> told = new LinkedBlockingQueue<>();
    private final Thread reader = new Thread(this::readAll, "kubeloop-test-reader");

    private void readAll() {
        try {
            for (WatchEvent<Thing> event = watcher.next(); event != null; event = watcher.next()) {
                told.add(event);
            }
            told.add(END);
        } catch (RuntimeException e) {
            told.add(e);
        }
    }

    @BeforeEach
    void start() {
        reader.start();
    }

    @AfterEach
    void close() throws InterruptedException {
        watcher.close();
        reader.join();
        assertThat(source.openStreams).hasValue(0);
    }

    private Object nextTold() throws InterruptedException {
        Object next = told.poll(20, TimeUnit.SECONDS);
        assertThat(next).as("an event").isNotNull();
        return next;
    }

    /** Waits until the watcher waits to watch again, and lets this time pass. */
    private void passWhileItWaits(Duration time) {
        await().until(() -> source.openStreams.get() == 0 && reader.getState() == Thread.State.WAITING);
        scheduler.advance(time);
    }

    private static Thing thing(String version) {
        return Thing.of("a/b", version);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "0"})
    void new_fromNoParticularVersion_isRefused_RW01(String version) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new RetryWatcher<>(version, source, scheduler))
                .withMessageContaining("\"" + version + "\"");
    }

    @Test
    void next_watchEndsAndBreaks_goesOnFromTheLastVersion_RW01() throws InterruptedException {
        source.nextWatch().added(thing("8")).modified(thing("9")).bookmark("12").end();
        assertThat(nextTold()).isEqualTo(new WatchEvent.Added<>(thing("8")));
        assertThat(nextTold()).isEqualTo(new WatchEvent.Modified<>(thing("9")));
        passWhileItWaits(Duration.ofSeconds(1));
        source.nextWatch()
                .deleted(thing("15"))
                .fail(new TransportException(TransportException.Kind.BROKEN, "broken", null));
        assertThat(nextTold()).isEqualTo(new WatchEvent.Deleted<>(thing("15")));
        passWhileItWaits(Duration.ofSeconds(1));
        source.nextWatch().fail(new DecodeException("no sense", null));
        passWhileItWaits(Duration.ofSeconds(1));
        source.nextWatch();
        assertThat(source.requests).allSatisfy(request -> {
            ListOptions options = request.options();
            assertThat(options.allowWatchBookmarks()).isTrue();
            assertThat(options.timeoutSeconds()).isBetween(300L, 600L);
        });
        assertThat(source.takeRequests()).containsExactly("watch rv=7", "watch rv=12", "watch rv=15", "watch rv=15");
    }

    @Test
    void next_watchThatLastedLong_isOpenedAgainAtOnce_RW02() throws InterruptedException {
        ScriptedSource.Stream first = source.nextWatch();
        scheduler.advance(Duration.ofMinutes(1));
        first.end();
        source.nextWatch();
    }

    @Test
    void next_serverWantsPatience_isNotAskedBefore_RW02() throws InterruptedException {
        source.nextWatch().send(new WatchEvent.Failed<>(status(429, 5)));
        passWhileItWaits(Duration.ofMillis(4900));
        assertThat(source.takeRequests()).hasSize(1);
        source.refuseWatch(new ApiException("GET /things", status(503, 0), Duration.ofSeconds(9)));
        scheduler.advance(Duration.ofMillis(100));
        await().until(() -> source.requests.size() == 1);
        passWhileItWaits(Duration.ofMillis(8900));
        assertThat(source.takeRequests()).hasSize(1);
        scheduler.advance(Duration.ofMillis(100));
        source.nextWatch();
    }

    @Test
    void next_serverNeverWantsToBeAskedAgain_isNot_RW02() throws InterruptedException {
        ScriptedSource.Stream first = source.nextWatch();
        source.refuseWatch(new ApiException("GET /things", status(503, 0), ChronoUnit.FOREVER.getDuration()));
        first.end();
        awaitTimer();
        scheduler.advance(Duration.ofSeconds(1));
        await().until(() -> source.requests.size() == 2);
        awaitTimer();
        assertThat(scheduler.isDueWithin(Duration.ofDays(36_500))).isFalse();
        assertThat(told).isEmpty();
    }

    /** Waits until the watcher waits to watch again: an open watch has a timer as well. */
    private void awaitTimer() {
        await().until(() -> source.openStreams.get() == 0 && scheduler.waiting() > 0);
    }

    private static Status status(int code, int retryAfterSeconds) {
        return StatusBuilder.builder(Status.failure(code, "", "scripted"))
                .details(StatusDetailsBuilder.builder()
                        .retryAfterSeconds(retryAfterSeconds)
                        .build())
                .build();
    }

    @Test
    void next_versionIsTooOld_isTheLastEvent_RW03() throws InterruptedException {
        source.nextWatch().error(410, StatusReason.EXPIRED);
        assertThat(nextTold())
                .isInstanceOfSatisfying(
                        WatchEvent.Failed.class,
                        failed -> assertThat(failed.status().code()).isEqualTo(410));
        assertThat(nextTold()).isEqualTo(END);
    }

    @ParameterizedTest
    @ValueSource(ints = {500, 504, 999})
    void next_errorThatMayPass_isTriedAgain_RW03(int code) throws InterruptedException {
        source.nextWatch().error(code, "");
        passWhileItWaits(Duration.ofSeconds(1));
        source.nextWatch().added(thing("8"));
        assertThat(nextTold()).isEqualTo(new WatchEvent.Added<>(thing("8")));
    }

    @Test
    void next_refusedForGood_isTheLastEvent_RW03() throws InterruptedException {
        ScriptedSource.Stream first = source.nextWatch();
        source.refuseWatch(ScriptedSource.refusal(410, StatusReason.GONE));
        source.refuseWatch(ScriptedSource.refusal(403, StatusReason.FORBIDDEN));
        first.end();
        passWhileItWaits(Duration.ofSeconds(1));
        passWhileItWaits(Duration.ofSeconds(1));
        assertThat(nextTold())
                .isInstanceOfSatisfying(
                        WatchEvent.Failed.class,
                        failed -> assertThat(failed.status().code()).isEqualTo(403));
        assertThat(nextTold()).isEqualTo(END);
    }

    @Test
    void next_objectWithoutVersion_isTheLastEvent_RW03() throws InterruptedException {
        source.nextWatch().added(thing(""));
        assertThat(nextTold()).isInstanceOfSatisfying(WatchEvent.Failed.class, failed -> {
            assertThat(failed.status().code()).isEqualTo(500);
            assertThat(failed.status().message()).contains("without a resource version");
        });
        assertThat(nextTold()).isEqualTo(END);
    }

    @Test
    void next_noWatchCanEverBeOpened_isSaid() throws InterruptedException {
        ScriptedSource.Stream first = source.nextWatch();
        TransportException problem =
                new TransportException(TransportException.Kind.CONFIGURATION, "no such file", null);
        source.refuseWatch(problem);
        first.end();
        passWhileItWaits(Duration.ofSeconds(1));
        assertThat(nextTold()).isSameAs(problem);
        assertThat(watcher.next()).isNull();
    }

    @Test
    void close_whileItReads_endsIt_RW04() throws InterruptedException {
        source.nextWatch().added(thing("8"));
        assertThat(nextTold()).isEqualTo(new WatchEvent.Added<>(thing("8")));
        watcher.close();
        watcher.close();
        assertThat(nextTold()).isEqualTo(END);
    }

    @Test
    void close_whileItWaits_endsIt_RW04() throws InterruptedException {
        source.nextWatch().end();
        passWhileItWaits(Duration.ZERO);
        watcher.close();
        assertThat(nextTold()).isEqualTo(END);
        assertThat(source.takeRequests()).hasSize(1);
    }

    @Test
    void interrupt_whileItWaits_isAnError() throws InterruptedException {
        source.nextWatch().end();
        passWhileItWaits(Duration.ZERO);
        reader.interrupt();
        assertThat(nextTold())
                .isInstanceOfSatisfying(
                        TransportException.class, e -> assertThat(e).hasMessageContaining("interrupted while waiting"));
        assertThat(watcher.next()).isNull();
    }
}
