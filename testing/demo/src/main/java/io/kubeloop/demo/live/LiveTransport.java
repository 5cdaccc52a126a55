/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.demo.live;

import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.api.client.ApiResponse;
import io.kubeloop.api.client.ApiStream;
import io.kubeloop.api.client.ForwardingApiStream;
import io.kubeloop.api.client.Transport;
import io.kubeloop.demo.live.Passage.Stage;
import io.kubeloop.json.JsonCodec;
import io.kubeloop.json.ProtobufCodec;
import io.kubeloop.json.tree.JsonObject;
import java.io.ByteArrayInputStream;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** Observes the requests of a client for a live view. Thread-safe; blocks as the other transport does. */
final class LiveTransport implements Transport {

    /** The counted requests of all observed clients. Thread-safe. */
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

    private static final ProtobufCodec PROTOBUF = ProtobufCodec.of(JsonCodec.standard());

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
        totals.requests.increment();
        boolean writes = !request.method().equals("GET");
        Target target = writes && feed.isWatched() ? Target.of(request) : null;
        if (writes) {
            totals.writes.increment();
        }
        report(Stage.WRITES, request.method().toLowerCase(Locale.ROOT), target);
        try {
            ApiResponse response = transport.execute(request);
            if (!response.isSuccessful() && response.code() != 404) {
                totals.failed(request.describe() + ": " + response.code());
            }
            return target == null ? response : answered(request, response, target);
        } catch (RuntimeException e) {
            totals.failed(String.valueOf(e.getMessage()));
            report(Stage.SERVER, "no-answer", target);
            throw e;
        }
    }

    /** Reports the answer to a write. That to a creation has the object's name, which the server may have chosen. */
    private ApiResponse answered(ApiRequest request, ApiResponse response, Target target) {
        String code = Integer.toString(response.code());
        String type = response.header("content-type");
        boolean isProtobuf = type != null && ApiRequest.isProtobuf(type);
        boolean isRead = isProtobuf || (type != null && type.startsWith(ApiRequest.JSON));
        if (!target.isNew() || !response.isSuccessful() || !isRead) {
            report(Stage.SERVER, code, target);
            return response;
        }
        byte[] body = response.wholeBody(request.describe());
        response.close();
        String name = isProtobuf
                ? PROTOBUF.decodeIdentity(body).name().name()
                : JsonObject.parse(body).string("metadata", "name");
        report(Stage.SERVER, code, target.named(name));
        return new ApiResponse(response.code(), response.headers(), new ByteArrayInputStream(body));
    }

    /** Reports every request except those for leases and events, which would hide the work of the controllers. */
    private void report(Stage stage, String kind, @Nullable Target target) {
        if (target != null
                && !target.resource().equals("leases")
                && !target.resource().equals("events")) {
            feed.report(stage, kind, target.resource(), target.namespace() + target.name(), LiveQueues.currentKey());
        }
    }

    /**
     * The object that a write is about.
     *
     * @param resource the plural name
     * @param namespace the namespace and a slash; empty for none
     * @param name {@link Passage#NEW} for an object that the request creates, * for several objects
     */
    private record Target(String resource, String namespace, String name) {

        /** Returns the target of a request to a resource; null for another path. */
        static @Nullable Target of(ApiRequest request) {
            String[] path = request.path().split("/");
            int namespaces = List.of(path).indexOf("namespaces");
            boolean namespaced = namespaces > 0 && path.length > namespaces + 2;
            int resource = namespaced ? namespaces + 2 : path.length > 1 && path[1].equals("api") ? 3 : 4;
            if (path.length <= resource) {
                return null;
            }
            String unnamed = request.method().equals("POST") ? Passage.NEW : "*";
            String name = path.length > resource + 1 ? path[resource + 1] : unnamed;
            return new Target(path[resource], namespaced ? path[namespaces + 1] + "/" : "", name);
        }

        boolean isNew() {
            return name.equals(Passage.NEW);
        }

        Target named(String given) {
            return given.isEmpty() ? this : new Target(resource, namespace, given);
        }
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

    private final class CountedStream extends ForwardingApiStream {

        private final AtomicInteger open = new AtomicInteger(1);

        CountedStream(ApiStream stream) {
            super(stream);
        }

        @Override
        public byte @Nullable [] next() {
            byte[] frame = super.next();
            count(frame);
            return frame;
        }

        @Override
        public @Nullable ByteBuffer nextShared() {
            ByteBuffer frame = super.nextShared();
            count(frame);
            return frame;
        }

        private void count(@Nullable Object frame) {
            if (frame != null) {
                totals.frames.increment();
            }
        }

        @Override
        public void close() {
            totals.watches.addAndGet(-open.getAndSet(0));
            super.close();
        }
    }

    @Override
    public void close() {
        transport.close();
    }
}
