/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.cache.reflector;

import static io.kubeloop.cache.fake.Patience.await;
import static io.kubeloop.cache.fake.ScriptedSource.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.client.TransportException;
import io.kubeloop.api.client.TransportException.Kind;
import io.kubeloop.cache.SharedInformer;
import io.kubeloop.cache.fake.ScriptedSource;
import io.kubeloop.cache.fake.ScriptedSource.Stream;
import io.kubeloop.cache.fake.Thing;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A reflector with streaming lists, and with servers that do not support them. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ReflectorStreamTest extends ReflectorFixture {

    @Test
    void stream_untilItsEndMarker_fillsTheCacheAndGoesOnAsWatch() throws Exception {
        // RE-60 to RE-64, RE-66, RE-21, RE-61, RE-62
        SharedInformer<Thing> informer = start(true);
        Stream stream = source.nextWatch();
        ScriptedSource.Request request = source.requests.take();
        assertThat(request.options().sendInitialEvents()).isTrue();
        assertThat(request.options().resourceVersionMatch()).isEqualTo("NotOlderThan");
        assertThat(request.options().resourceVersion()).isEmpty();
        assertThat(request.options().allowWatchBookmarks()).isTrue();
        stream.added(Thing.of("n/a", "1"))
                .added(Thing.of("n/b", "2"))
                .modified(Thing.of("n/a", "8"))
                .deleted(Thing.of("n/b", "9"))
                .added(Thing.of("n/c", "3"))
                .bookmark("9");
        await().until(stream::isExhausted);
        assertThat(informer.hasSynced()).isFalse();
        assertThat(informer.lastSyncResourceVersion()).isEmpty();
        stream.endOfInitialEvents("10").modified(Thing.of("n/c", "11"));
        assertThat(handler.take(3)).containsExactly("add n/a@8 initial", "add n/c@3 initial", "update n/c@3 -> n/c@11");
        await().until(() -> informer.lastSyncResourceVersion().equals("11"));
        stream.end();
        source.nextWatch();
        assertThat(source.takeRequests()).containsExactly("watch rv=11");
    }

    @Test
    void stream_withoutVersion_afterItsEndMarker_movesOnWithEveryEvent_RE55() throws Exception {
        // The end marker ends the part without an order of versions: an addition after it marks the server's progress.
        SharedInformer<Thing> informer = start(true);
        Stream stream = source.nextWatch().added(Thing.of("n/a", "1")).endOfInitialEvents("10");
        handler.take(1);
        stream.added(Thing.of("n/b", "11"));
        handler.take(1);
        await().until(stream::isExhausted);
        assertThat(informer.lastSyncResourceVersion()).isEqualTo("11");
        stream.end();
        source.nextWatch();
        assertThat(source.takeRequests()).containsExactly("stream rv=", "watch rv=11");
    }

    @Test
    void stream_refusedAsInvalid_listsFromNowOn() throws Exception {
        // RE-22, remembered
        source.refuseWatch(refusal(422, "Invalid")).list("10");
        start(true);
        Stream watch = awaitListAndWatch();
        source.list("20");
        watch.error(410, "Expired");
        passBackoff(Duration.ofMillis(800));
        assertThat(source.nextRequest()).isEqualTo("list rv=10");
    }

    @Test
    void stream_failsOtherwise_listsThisOnce_RE20() throws Exception {
        assertThatAListReplacesItThisOnce(refusal(500, "InternalError"));
    }

    @Test
    void stream_ofAServerThatIgnoresTheWish_isGivenUpAfterTenSecondsOfSilence() throws Exception {
        // RE-22: upstream waits for the stream to end, minutes later.
        source.list("10", Thing.of("n/a", "1"));
        start(true);
        Stream stream = source.nextWatch();
        await().until(stream::isExhausted);
        scheduler.advance(Duration.ofSeconds(6));
        stream.added(Thing.of("n/a", "1"));
        await().until(stream::isExhausted);
        scheduler.advance(Duration.ofSeconds(9));
        assertThat(stream.isClosed()).isFalse();
        scheduler.advance(Duration.ofSeconds(1));
        awaitListAndWatch();
        assertThat(stream.isClosed()).isTrue();
        assertThat(handler.take(1)).containsExactly("add n/a@1 initial");
    }

    @Test
    void stream_ofAServerThatIgnoresTheWish_andIsNeverSilent_isGivenUpAllTheSame_RE22() throws Exception {
        // In an active cluster this would continue until the watch ends, minutes later, and then again.
        source.list("10", Thing.of("n/a", "9"));
        start(true);
        Stream stream = source.nextWatch().added(Thing.of("n/a", "1"));
        for (int i = 2; i <= 5; i++) {
            await().until(stream::isExhausted);
            scheduler.advance(Duration.ofSeconds(2));
            stream.modified(Thing.of("n/a", String.valueOf(i))).bookmark(String.valueOf(i));
        }
        await().until(stream::isExhausted);
        assertThat(stream.isClosed()).isFalse();
        scheduler.advance(Duration.ofSeconds(2));
        awaitListAndWatch();
        assertThat(stream.isClosed()).isTrue();
        assertThat(handler.take(1)).containsExactly("add n/a@9 initial");
    }

    @Test
    void stream_whoseEndMarkerHasNoVersion_isFollowedByAList() throws Exception {
        source.list("10", Thing.of("n/a", "1"));
        start(true);
        source.nextWatch().added(Thing.of("n/a", "1")).endOfInitialEvents("");
        awaitListAndWatch();
    }

    @Test
    void stream_thatGetsNoAnswer_isReplacedByAListThisOnce_RE65() throws Exception {
        assertThatAListReplacesItThisOnce(reset());
    }

    private void assertThatAListReplacesItThisOnce(RuntimeException refusal) throws InterruptedException {
        source.refuseWatch(refusal).list("10");
        start(true);
        Stream watch = awaitListAndWatch();
        watch.error(410, "Expired");
        passBackoff(Duration.ofMillis(800));
        assertThat(source.nextRequest()).isEqualTo("stream rv=10");
    }

    /** Returns the watch after the ordinary list that replaced the stream. */
    private Stream awaitListAndWatch() throws InterruptedException {
        Stream watch = source.nextWatch();
        assertThat(source.takeRequests()).containsExactly("stream rv=", "list rv=0 limit=500", "watch rv=10");
        return watch;
    }

    @Test
    void stream_readLateByAProcessThatWasStopped_isNotSilence_RE22() throws Exception {
        start(true);
        Stream stream = source.nextWatch();
        await().until(stream::isExhausted);
        scheduler.jump(
                Duration.ofSeconds(30)); // the process was paused; it reads the received data after the timer has fired
        stream.added(Thing.of("n/a", "1")).endOfInitialEvents("10");
        assertThat(handler.take(1)).containsExactly("add n/a@1 initial");
        scheduler.advance(Duration.ofSeconds(30));
        assertThat(stream.isClosed()).isFalse();
        assertThat(source.takeRequests()).containsExactly("stream rv=");
    }

    @Test
    void stream_expired_isAskedForWithoutVersion() throws Exception {
        // RE-65, RE-63
        start(true);
        source.nextWatch().endOfInitialEvents("10").error(410, "Expired");
        source.nextRequest();
        source.refuseWatch(refusal(410, "Expired"));
        passBackoff(Duration.ofMillis(800));
        source.nextWatch();
        assertThat(source.takeRequests()).containsExactly("stream rv=10", "stream rv=");
    }

    @Test
    void stream_noConnection_isAskedForAgainAfterAPause() throws Exception {
        source.refuseWatch(new TransportException(Kind.CONNECT, "connection refused", null));
        start(true);
        assertThat(source.nextRequest()).isEqualTo("stream rv=");
        passBackoff(Duration.ofMillis(800));
        assertThat(source.nextRequest()).isEqualTo("stream rv=");
        source.nextWatch().endOfInitialEvents("10");
        await().until(() -> running.get().hasSynced());
    }

    @Test
    void stream_endsBeforeItsMarker_isAskedForAgainAtOnceThenAfterPauses() throws Exception {
        start(true);
        assertThat(source.nextRequest()).isEqualTo("stream rv=");
        source.nextWatch().added(Thing.of("n/a", "1")).end();
        assertThat(source.nextRequest()).isEqualTo("stream rv=");
        source.nextWatch().added(Thing.of("n/a", "1")).end();
        passBackoff(Duration.ofMillis(800));
        assertThat(source.nextRequest()).isEqualTo("stream rv=");
        source.nextWatch().added(Thing.of("n/b", "2")).endOfInitialEvents("10");
        assertThat(handler.take(1)).as("only the last attempt counts").containsExactly("add n/b@2 initial");
    }
}
