package io.kubeloop.app.live;

import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.api.client.ApiResponse;
import io.kubeloop.api.client.ApiStream;
import io.kubeloop.api.client.Transport;
import io.kubeloop.app.live.Passage.Stage;
import io.kubeloop.json.tree.JsonObject;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** Observes the requests of a client for a live view. Thread-safe; blocks as the other transport does. */
final class LiveTransport implements Transport {

    /** What all observed clients have done. Thread-safe. */
    static final class Totals {

        private final LongAdder requests = new LongAdder();
        private final LongAdder writes = new LongAdder();
        private final LongAdder errors = new LongAdder();
        private final LongAdder frames = new LongAdder();
        private final AtomicInteger watches = new AtomicInteger();
        private volatile String lastError = "";

        JsonObject json() {
            return JsonObject.EMPTY
                    .with("requests", requests.sum())
                    .with("writes", writes.sum())
                    .with("errors", errors.sum())
                    .with("frames", frames.sum())
                    .with("watches", watches.get())
                    .with("error", lastError);
        }

        private void failed(String what) {
            errors.increment();
            lastError = what;
        }
    }

    private final Transport transport;
    private final LiveFeed feed;
    private final Totals totals;

    LiveTransport(Transport transport, LiveFeed feed, Totals totals) {
        this.transport = transport;
        this.feed = feed;
        this.totals = totals;
    }

    @Override
    public ApiResponse execute(ApiRequest request) {
        boolean writes = !request.method().equals("GET");
        totals.requests.increment();
        if (writes) {
            totals.writes.increment();
            report(Stage.WRITES, request.method().toLowerCase(Locale.ROOT), request);
        }
        try {
            ApiResponse response = transport.execute(request);
            if (!response.isSuccessful() && response.code() != 404) {
                totals.failed(request.describe() + ": " + response.code());
            }
            if (writes) {
                report(Stage.SERVER, Integer.toString(response.code()), request);
            }
            return response;
        } catch (RuntimeException e) {
            totals.failed(String.valueOf(e.getMessage()));
            if (writes) {
                report(Stage.SERVER, "no-answer", request);
            }
            throw e;
        }
    }

    private void report(Stage stage, String kind, ApiRequest request) {
        if (!feed.isWatched()) {
            return;
        }
        String[] path = request.path().split("/");
        int namespaces = List.of(path).indexOf("namespaces");
        boolean namespaced = namespaces > 0 && path.length > namespaces + 2;
        int resource = namespaced ? namespaces + 2 : path[1].equals("api") ? 3 : 4;
        if (path.length <= resource || path[resource].equals("leases") || path[resource].equals("events")) {
            return; // they would hide what the controllers do
        }
        String name = path.length > resource + 1 ? path[resource + 1] : bodyName(request.body());
        feed.report(
                stage,
                kind,
                path[resource],
                (namespaced ? path[namespaces + 1] + "/" : "") + name,
                LiveQueues.currentKey());
    }

    private static String bodyName(ApiRequest.@Nullable Body body) {
        if (body == null || !body.contentType().contains("json")) {
            return "(new)";
        }
        JsonObject object = JsonObject.parse(body.bytes());
        String name = object.string("metadata", "name");
        return name.isEmpty() ? object.string("metadata", "generateName") + "*" : name;
    }

    @Override
    public ApiStream stream(ApiRequest request) {
        totals.requests.increment();
        ApiStream stream = transport.stream(request);
        if (stream.code() != 200) {
            totals.failed(request.describe() + ": " + stream.code());
        }
        totals.watches.incrementAndGet();
        return new CountedStream(stream);
    }

    private final class CountedStream implements ApiStream {

        private final ApiStream stream;
        private final AtomicInteger open = new AtomicInteger(1);

        CountedStream(ApiStream stream) {
            this.stream = stream;
        }

        @Override
        public int code() {
            return stream.code();
        }

        @Override
        public Map<String, List<String>> headers() {
            return stream.headers();
        }

        @Override
        public byte @Nullable [] next() {
            byte[] frame = stream.next();
            if (frame != null) {
                totals.frames.increment();
            }
            return frame;
        }

        /** Forwards, so that the decoder reads the buffer of the connection without a copy for each event. */
        @Override
        public @Nullable ByteBuffer nextShared() {
            ByteBuffer frame = stream.nextShared();
            if (frame != null) {
                totals.frames.increment();
            }
            return frame;
        }

        @Override
        public void close() {
            totals.watches.addAndGet(-open.getAndSet(0));
            stream.close();
        }
    }

    @Override
    public void close() {
        transport.close();
    }
}
