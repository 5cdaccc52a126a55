/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.cache.fake;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.KubeList;
import io.kubeloop.api.ListMeta;
import io.kubeloop.api.ObjectMetaBuilder;
import io.kubeloop.api.Status;
import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.client.ApiException;
import io.kubeloop.api.client.ListOptions;
import io.kubeloop.api.client.ListerWatcher;
import io.kubeloop.api.client.TransportException;
import io.kubeloop.api.client.WatchEvent;
import io.kubeloop.api.client.WatchStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/**
 * A server that gives scripted answers: one list after the other, and watches that stay open until the test ends them.
 * A request without a prepared answer waits, as on a server that does not answer.
 */
public final class ScriptedSource implements ListerWatcher<Thing> {

    /** One received request. */
    public record Request(boolean isWatch, ListOptions options) {
        @Override
        public String toString() {
            return (isWatch ? options.sendInitialEvents() != null ? "stream " : "watch " : "list ")
                    + "rv=" + options.resourceVersion()
                    + (options.limit() == 0 ? "" : " limit=" + options.limit())
                    + (options.continueToken().isEmpty() ? "" : " continue=" + options.continueToken());
        }
    }

    private static final long PATIENCE_SECONDS = 20;
    private final BlockingQueue<Function<ListOptions, KubeList<Thing>>> lists = new LinkedBlockingQueue<>();
    private final BlockingQueue<RuntimeException> watchRefusals = new LinkedBlockingQueue<>();
    private final BlockingQueue<Runnable> delays = new LinkedBlockingQueue<>();
    private volatile RuntimeException closeFailure;
    private final BlockingQueue<Stream> opened = new LinkedBlockingQueue<>();
    public final BlockingQueue<Request> requests = new LinkedBlockingQueue<>();
    private volatile Stream latest;
    private final AtomicInteger listsAsked = new AtomicInteger();
    private final AtomicInteger listsAnswered = new AtomicInteger();
    public final AtomicInteger openStreams = new AtomicInteger();

    public static KubeList<Thing> page(String version, String continueToken, Thing... items) {
        return new KubeList<>(new ListMeta(version, continueToken, null, UnknownFields.NONE), List.of(items));
    }

    public static ApiException refusal(int code, String reason) {
        return new ApiException("GET /things", Status.failure(code, reason, "scripted"), null);
    }

    public ScriptedSource list(String version, Thing... items) {
        lists.add(options -> page(version, "", items));
        return this;
    }

    public ScriptedSource page(KubeList<Thing> page) {
        lists.add(options -> page);
        return this;
    }

    public ScriptedSource failList(RuntimeException failure) {
        lists.add(options -> {
            throw failure;
        });
        return this;
    }

    public ScriptedSource refuseWatch(RuntimeException failure) {
        watchRefusals.add(failure);
        return this;
    }

    /** Runs something while the next watch is being opened. */
    public ScriptedSource slowWatch(Runnable meanwhile) {
        delays.add(meanwhile);
        return this;
    }

    /** Makes every stream throw this when it is closed; it is closed nevertheless. */
    public ScriptedSource failClose(RuntimeException failure) {
        closeFailure = failure;
        return this;
    }

    @Override
    public KubeList<Thing> list(ListOptions options) {
        requests.add(new Request(false, options));
        try {
            listsAsked.incrementAndGet();
            Function<ListOptions, KubeList<Thing>> answer = lists.take();
            listsAnswered.incrementAndGet();
            return answer.apply(options);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new TransportException(TransportException.Kind.CLOSED, "interrupted", e);
        }
    }

    @Override
    public WatchStream<Thing> watch(ListOptions options) {
        requests.add(new Request(true, options));
        Runnable delay = delays.poll();
        if (delay != null) {
            delay.run();
        }
        RuntimeException refusal = watchRefusals.poll();
        if (refusal != null) {
            throw refusal;
        }
        Stream stream = new Stream();
        latest = stream;
        openStreams.incrementAndGet();
        opened.add(stream);
        return stream;
    }

    /** Returns whether the client waits for an unprepared list, or for the next event of the watch. */
    public boolean isExhausted() {
        boolean waitsForList = lists.isEmpty() && listsAsked.get() > listsAnswered.get();
        Stream watch = latest;
        return waitsForList || (watch != null && watch.isExhausted());
    }

    /** Returns the last opened watch. */
    public Stream latest() {
        return latest;
    }

    /** Waits for the next opened watch. */
    public Stream nextWatch() throws InterruptedException {
        Stream stream = opened.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
        assertThat(stream)
                .as("a watch; requests so far not asked for: %s", requests)
                .isNotNull();
        return stream;
    }

    /** Waits for the next request and returns it as text. */
    public String nextRequest() throws InterruptedException {
        Request request = requests.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
        assertThat(request).as("a request").isNotNull();
        return request.toString();
    }

    /** Returns the requests received since the last call, as text. */
    public List<String> takeRequests() {
        List<Request> taken = new ArrayList<>();
        requests.drainTo(taken);
        return taken.stream().map(Request::toString).toList();
    }

    /** The server's side of a watch. */
    public final class Stream implements WatchStream<Thing> {

        /** Ends the stream: normally if null, otherwise with this exception. */
        private record End(RuntimeException failure) {}

        private final BlockingQueue<Object> frames = new LinkedBlockingQueue<>();
        private final AtomicInteger closed = new AtomicInteger();
        private final AtomicInteger sent = new AtomicInteger();
        private final AtomicInteger asked = new AtomicInteger();

        public Stream added(Thing thing) {
            return send(new WatchEvent.Added<>(thing));
        }

        public Stream modified(Thing thing) {
            return send(new WatchEvent.Modified<>(thing));
        }

        public Stream deleted(Thing thing) {
            return send(new WatchEvent.Deleted<>(thing));
        }

        public Stream bookmark(String version) {
            return send(new WatchEvent.Bookmark<>(
                    ObjectMetaBuilder.builder().resourceVersion(version).build()));
        }

        public Stream endOfInitialEvents(String version) {
            return send(new WatchEvent.Bookmark<>(ObjectMetaBuilder.builder()
                    .resourceVersion(version)
                    .annotations(Map.of(WatchEvent.Bookmark.INITIAL_EVENTS_END, "true"))
                    .build()));
        }

        public Stream error(int code, String reason) {
            return send(new WatchEvent.Failed<>(Status.failure(code, reason, "scripted")));
        }

        public Stream send(WatchEvent<Thing> event) {
            sent.incrementAndGet();
            frames.add(event);
            return this;
        }

        /** Ends the watch normally. */
        public void end() {
            sent.incrementAndGet();
            frames.add(new End(null));
        }

        /** Breaks the connection. */
        public void fail(RuntimeException failure) {
            sent.incrementAndGet();
            frames.add(new End(failure));
        }

        public boolean isClosed() {
            return closed.get() > 0;
        }

        /** Returns whether the client has processed everything that was sent, and waits for more. */
        public boolean isExhausted() {
            return !isClosed() && asked.get() > sent.get();
        }

        @Override
        @SuppressWarnings("unchecked")
        public WatchEvent<Thing> next() {
            asked.incrementAndGet();
            try {
                Object frame = frames.take();
                if (frame instanceof End end) {
                    frames.add(frame);
                    if (end.failure() != null) {
                        throw end.failure();
                    }
                    return null;
                }
                return (WatchEvent<Thing>) frame;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new TransportException(TransportException.Kind.CLOSED, "interrupted", e);
            }
        }

        @Override
        public void close() {
            if (closed.getAndIncrement() == 0) {
                openStreams.decrementAndGet();
                frames.add(new End(null));
            }
            if (closeFailure != null) {
                throw closeFailure;
            }
        }
    }
}
