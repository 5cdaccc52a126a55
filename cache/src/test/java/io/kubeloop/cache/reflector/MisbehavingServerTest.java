/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.cache.reflector;

import static io.kubeloop.cache.fake.Patience.await;
import static io.kubeloop.cache.fake.ScriptedSource.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.KubeList;
import io.kubeloop.api.Status;
import io.kubeloop.api.client.DecodeException;
import io.kubeloop.api.client.ListOptions;
import io.kubeloop.api.client.ListerWatcher;
import io.kubeloop.api.client.TransportException;
import io.kubeloop.api.client.TransportException.Kind;
import io.kubeloop.api.client.WatchEvent;
import io.kubeloop.api.client.WatchStream;
import io.kubeloop.cache.InformerConfig;
import io.kubeloop.cache.ReflectorState;
import io.kubeloop.cache.SharedInformer;
import io.kubeloop.cache.SharedInformers;
import io.kubeloop.cache.fake.ScriptedSource;
import io.kubeloop.cache.fake.Thing;
import io.kubeloop.runtime.Scheduler;
import io.kubeloop.runtime.testing.ManualScheduler;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Servers, and proxies before them, that answer one kind of request wrongly, again and again. What the other kinds of
 * requests bring must reach the cache; the failure is counted; and the requests have a bound.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class MisbehavingServerTest {

    /** What has not happened by then does not happen. */
    private static final Duration LONG = Duration.ofMinutes(20);

    /** In each two minutes, backoffs of 0.8 to 30 s allow 8 attempts of up to four requests. */
    private static final int MOST_REQUESTS = 600;

    private enum Request {
        STREAMING_LIST,
        WATCH,
        LIST
    }

    /** What follows in the end. */
    private enum Result {
        /** A list brings the state, once more while the watch fails, and an error is counted. */
        LISTED_WITH_ERROR,
        /** The watch goes on, so no list is necessary, and an error is counted. */
        WATCHED_WITH_ERROR,
        /** A list brings the state; the server is one that does not know the request, or has ended a watch properly. */
        LISTED,
        /** The watch goes on. */
        WATCHED,
        /** Nothing can bring the state, and errors are counted. */
        ERROR
    }

    @SuppressWarnings("ImmutableEnumChecker") // an event or an exception that no test changes
    enum Server {
        STREAM_ENDS_AFTER_SECONDS(Request.STREAMING_LIST, Duration.ofSeconds(3), null, Result.LISTED_WITH_ERROR),
        STREAM_ENDS_AFTER_MINUTES(Request.STREAMING_LIST, Duration.ofSeconds(9), null, Result.LISTED_WITH_ERROR),
        STREAM_ENDS_AT_ONCE(Request.STREAMING_LIST, Duration.ZERO, null, Result.LISTED_WITH_ERROR),
        STREAM_IS_LOST(Request.STREAMING_LIST, Duration.ofSeconds(3), lost(Kind.BROKEN), Result.LISTED_WITH_ERROR),
        STREAM_IS_LOST_AT_ONCE(Request.STREAMING_LIST, Duration.ZERO, lost(Kind.BROKEN), Result.LISTED_WITH_ERROR),
        STREAM_IS_TOO_LARGE(Request.STREAMING_LIST, Duration.ZERO, lost(Kind.TOO_LARGE), Result.LISTED_WITH_ERROR),
        STREAM_IS_MALFORMED(Request.STREAMING_LIST, Duration.ZERO, malformed(), Result.LISTED_WITH_ERROR),
        STREAM_ENDS_WITH_429(Request.STREAMING_LIST, Duration.ZERO, failed(429), Result.LISTED_WITH_ERROR),
        STREAM_ENDS_WITH_500(Request.STREAMING_LIST, Duration.ZERO, failed(500), Result.LISTED_WITH_ERROR),
        STREAM_ENDS_WITH_410(Request.STREAMING_LIST, Duration.ZERO, failed(410), Result.LISTED),
        STREAM_IS_429(Request.STREAMING_LIST, null, refusal(429, "TooManyRequests"), Result.LISTED_WITH_ERROR),
        STREAM_IS_500(Request.STREAMING_LIST, null, refusal(500, "InternalError"), Result.LISTED_WITH_ERROR),
        STREAM_IS_403(Request.STREAMING_LIST, null, refusal(403, "Forbidden"), Result.LISTED_WITH_ERROR),
        STREAM_IS_410(Request.STREAMING_LIST, null, refusal(410, "Expired"), Result.LISTED),
        STREAM_IS_400(Request.STREAMING_LIST, null, refusal(400, "BadRequest"), Result.LISTED),
        STREAM_IS_NOT_ANSWERED(Request.STREAMING_LIST, null, lost(Kind.TIMEOUT), Result.LISTED_WITH_ERROR),
        WATCH_ENDS_AFTER_SECONDS(Request.WATCH, Duration.ofSeconds(3), null, Result.WATCHED),
        WATCH_ENDS_AT_ONCE(Request.WATCH, Duration.ZERO, null, Result.LISTED),
        WATCH_IS_LOST(Request.WATCH, Duration.ofSeconds(3), lost(Kind.BROKEN), Result.WATCHED_WITH_ERROR),
        WATCH_IS_LOST_AT_ONCE(Request.WATCH, Duration.ZERO, lost(Kind.BROKEN), Result.LISTED_WITH_ERROR),
        WATCH_IS_MALFORMED(Request.WATCH, Duration.ZERO, malformed(), Result.LISTED_WITH_ERROR),
        WATCH_ENDS_WITH_429(Request.WATCH, Duration.ZERO, failed(429), Result.LISTED_WITH_ERROR),
        WATCH_ENDS_WITH_500(Request.WATCH, Duration.ofSeconds(3), failed(500), Result.LISTED_WITH_ERROR),
        WATCH_ENDS_WITH_410(Request.WATCH, Duration.ofSeconds(3), failed(410), Result.LISTED),
        WATCH_IS_429(Request.WATCH, null, refusal(429, "TooManyRequests"), Result.LISTED_WITH_ERROR),
        WATCH_IS_500(Request.WATCH, null, refusal(500, "InternalError"), Result.LISTED_WITH_ERROR),
        WATCH_IS_403(Request.WATCH, null, refusal(403, "Forbidden"), Result.LISTED_WITH_ERROR),
        WATCH_IS_410(Request.WATCH, null, refusal(410, "Expired"), Result.LISTED),
        WATCH_IS_NOT_ANSWERED(Request.WATCH, null, lost(Kind.TIMEOUT), Result.LISTED_WITH_ERROR),
        WATCH_IS_NOT_CONNECTED(Request.WATCH, null, lost(Kind.CONNECT), Result.WATCHED_WITH_ERROR),
        LIST_IS_500(Request.LIST, null, refusal(500, "InternalError"), Result.ERROR),
        LIST_IS_410(Request.LIST, null, refusal(410, "Expired"), Result.ERROR),
        LIST_IS_429(Request.LIST, null, refusal(429, "TooManyRequests"), Result.ERROR),
        LIST_IS_NOT_ANSWERED(Request.LIST, null, lost(Kind.TIMEOUT), Result.ERROR),
        LIST_IS_NOT_CONNECTED(Request.LIST, null, lost(Kind.CONNECT), Result.ERROR),
        LIST_IS_MALFORMED(Request.LIST, null, new DecodeException("no JSON", null), Result.ERROR);

        private final Request request;
        private final @Nullable Duration lasts;
        private final @Nullable Object end;
        private final Result result;

        /**
         * @param lasts how long a watch lasts; null if the request is refused
         * @param end the last event or the exception; null for a proper end
         */
        Server(Request request, @Nullable Duration lasts, @Nullable Object end, Result result) {
            this.request = request;
            this.lasts = lasts;
            this.end = end;
            this.result = result;
        }
    }

    private static TransportException lost(Kind kind) {
        return new TransportException(kind, "scripted", null);
    }

    private static DecodeException malformed() {
        return new DecodeException("no JSON", null);
    }

    private static WatchEvent<Thing> failed(int code) {
        return new WatchEvent.Failed<>(Status.failure(code, code == 429 ? "TooManyRequests" : "", "scripted"));
    }

    private final ManualScheduler scheduler = new ManualScheduler();
    private final AtomicInteger requests = new AtomicInteger();
    private final AtomicInteger lists = new AtomicInteger();
    private final CountDownLatch resting = new CountDownLatch(1);
    private volatile @Nullable SharedInformer<Thing> running;

    /** Answers one kind of request as the server does, and the others properly: a watch stays open without an event. */
    private final class Source implements ListerWatcher<Thing> {

        private final Server server;

        Source(Server server) {
            this.server = server;
        }

        private void refuse(Request request) {
            if (scheduler.nanoTime() > LONG.toNanos()) {
                resting.countDown();
                new Open().next();
                throw lost(Kind.CLOSED);
            }
            requests.incrementAndGet();
            if (server.request == request && server.lasts == null && server.end instanceof RuntimeException e) {
                throw e;
            }
        }

        @Override
        public KubeList<Thing> list(ListOptions options) {
            refuse(Request.LIST);
            String version = String.valueOf(100 + lists.incrementAndGet());
            return ScriptedSource.page(version, "", Thing.of("n/a", version));
        }

        @Override
        public WatchStream<Thing> watch(ListOptions options) {
            Request request = options.sendInitialEvents() == null ? Request.WATCH : Request.STREAMING_LIST;
            refuse(request);
            Duration lasts = server.lasts;
            if (server.request == request && lasts != null) {
                return new Bad(lasts, server.end);
            }
            resting.countDown();
            return new Open();
        }
    }

    private final class Bad implements WatchStream<Thing> {

        private final Duration lasts;
        private final @Nullable Object end;
        private boolean isOver;

        Bad(Duration lasts, @Nullable Object end) {
            this.lasts = lasts;
            this.end = end;
        }

        @Override
        @SuppressWarnings("unchecked") // the table has events of things
        public @Nullable WatchEvent<Thing> next() {
            if (isOver) {
                return null;
            }
            isOver = true;
            scheduler.advance(lasts);
            if (end instanceof RuntimeException e) {
                throw e;
            }
            return (WatchEvent<Thing>) end;
        }

        @Override
        public void close() {}
    }

    private static final class Open implements WatchStream<Thing> {

        private final CountDownLatch closed = new CountDownLatch(1);

        @Override
        public @Nullable WatchEvent<Thing> next() {
            try {
                closed.await();
                return null;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new TransportException(Kind.CLOSED, "interrupted", e);
            }
        }

        @Override
        public void close() {
            closed.countDown();
        }
    }

    /** The time of the test, which passes at once where the reflector backs off. */
    private final class Hurried implements Scheduler {

        @Override
        public Instant now() {
            return scheduler.now();
        }

        @Override
        public long nanoTime() {
            return scheduler.nanoTime();
        }

        @Override
        public Task scheduleAt(long nanoTime, Runnable task) {
            Task scheduled = scheduler.scheduleAt(nanoTime, task);
            SharedInformer<Thing> informer = running;
            if (informer != null && informer.health().state() == ReflectorState.BACKING_OFF) {
                scheduler.advance(Duration.ofNanos(nanoTime - nanoTime()));
            }
            return scheduled;
        }

        @Override
        public void close() {}
    }

    @ParameterizedTest
    @EnumSource
    void wrongAnswers_areCountedBoundedAndOvercome(Server server) {
        InformerConfig config = InformerConfig.DEFAULT
                .withScheduler(new Hurried())
                .withRandom(() -> 0)
                .withStreamingList(server.request == Request.STREAMING_LIST);
        try (SharedInformer<Thing> informer = SharedInformers.informer(Thing.TYPE, new Source(server), config)) {
            running = informer;
            informer.start();
            await().until(() -> resting.getCount() == 0);

            boolean hasError = server.result != Result.LISTED && server.result != Result.WATCHED;
            assertThat(informer.health().errors() > 0).as("an error").isEqualTo(hasError);
            assertThat(informer.health().lastError() != null).isEqualTo(hasError);
            assertThat(requests).hasValueLessThan(MOST_REQUESTS);
            switch (server.result) {
                case LISTED_WITH_ERROR, LISTED -> {
                    await().until(informer::hasSynced);
                    boolean isWatched = server.request == Request.STREAMING_LIST;
                    assertThat(lists.get() > 1 || isWatched).as("another list").isTrue();
                }
                case WATCHED_WITH_ERROR, WATCHED -> {
                    await().until(informer::hasSynced);
                    assertThat(lists).hasValue(1);
                }
                case ERROR -> assertThat(informer.hasSynced()).isFalse();
            }
        }
    }
}
