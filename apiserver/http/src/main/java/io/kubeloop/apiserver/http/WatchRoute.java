/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.http;

import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.apiserver.http.negotiation.ResponseFormat;
import io.kubeloop.apiserver.http.watch.ChunkedWatch;
import io.kubeloop.apiserver.http.watch.OpenWatches;
import io.kubeloop.apiserver.http.watch.WatchOutput;
import io.kubeloop.apiserver.http.watch.WebSocketWatch;
import io.kubeloop.apiserver.http.websocket.WebSocketHandshake;
import io.kubeloop.apiserver.http.wire.ClientMemory;
import io.kubeloop.apiserver.registry.ServerResponse;
import io.kubeloop.apiserver.registry.WatchFrame;
import io.kubeloop.apiserver.rest.ClientPresence;
import io.kubeloop.json.protobuf.ProtobufDocument;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.runtime.OwnedThreads;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/** Sends watches to their clients, as chunks or over a WebSocket. Thread-safe. */
final class WatchRoute {

    /** Upstream's default of {@code --min-request-timeout}, in seconds: the shortest watch that names no end. */
    private static final int SHORTEST_WATCH = 1800;

    /** The forms of an event that a watch holds: its object, its encoding, and the frame that is being written. */
    private static final int COPIES = 3;

    private final OwnedThreads threads;
    private final OpenWatches open;
    private final OpenWatches waits;
    private final RandomGenerator random;

    /**
     * Creates a route.
     *
     * @param waits the requests that wait for webhooks
     * @param random spreads the ends of the watches that name none; must be thread-safe
     */
    WatchRoute(OwnedThreads threads, OpenWatches open, OpenWatches waits, RandomGenerator random) {
        this.threads = threads;
        this.open = open;
        this.waits = waits;
        this.random = random;
    }

    /** Returns the query of a request; a watch without a timeout ends after a random time, 30 to 60 minutes. */
    Map<String, String> limited(Map<String, String> query, boolean isWatch) {
        if (!isWatch || !Set.of("", "0").contains(query.getOrDefault("timeoutSeconds", ""))) {
            return query;
        }
        Map<String, String> limited = new LinkedHashMap<>(query);
        limited.put("timeoutSeconds", Integer.toString(SHORTEST_WATCH + random.nextInt(SHORTEST_WATCH)));
        return limited;
    }

    /** Executes a request. Its calls of webhooks end when its client leaves, but not when the server closes. */
    ServerResponse whileAwaited(HttpApiExchange exchange, Supplier<ServerResponse> request) {
        return ClientPresence.during(
                left -> {
                    OpenWatches.Watch entry = waits.add(exchange::clientHasLeft, () -> {
                        if (exchange.clientHasLeft()) {
                            left.run();
                        }
                    });
                    return () -> waits.remove(entry);
                },
                request);
    }

    /** Relays a watch until it ends or the client disconnects. */
    void serve(HttpApiExchange exchange, ServerResponse.Frames frames, ResponseView view) throws IOException {
        try (frames) {
            exchange.warn(frames.warnings());
            boolean protobuf = view.format().protobuf();
            if (!WebSocketHandshake.isRequested(exchange::headers)) {
                String type = view.format().encoding().mediaType() + (protobuf ? ";stream=watch" : "");
                relay(
                        frames,
                        new ChunkedWatch(exchange.startStream(200, type), protobuf, exchange::clientHasLeft),
                        view,
                        exchange.memory());
                return;
            }
            WebSocketHandshake handshake = WebSocketHandshake.answer(exchange::headers);
            if (handshake.code() != 101) {
                exchange.refuse(handshake);
                return;
            }
            try (WebSocketWatch output =
                    WebSocketWatch.start(exchange.upgrade(handshake), !protobuf, threads, frames::close)) {
                relay(frames, output, view, exchange.memory());
            }
        }
    }

    /**
     * An exception leaves the response incomplete: a regular end would tell the client that it has received everything.
     */
    private void relay(ServerResponse.Frames frames, WatchOutput output, ResponseView view, ClientMemory.Share memory)
            throws IOException {
        OpenWatches.Watch watch = open.add(output::clientHasLeft, frames::close);
        try {
            boolean first = true;
            for (WatchFrame frame = frames.next(); frame != null; frame = frames.next()) {
                long counted = COPIES * frame.weight();
                take(memory, counted);
                byte[] event = encode(frame, view, first);
                long more = Math.max(0, 2L * event.length - counted);
                take(memory, more);
                output.send(event, frames.hasMore());
                memory.give(more);
                memory.give(counted);
                first &= frame.type().equals(WatchFrame.BOOKMARK);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while waiting for an event", e);
        } finally {
            open.remove(watch);
        }
        output.finish();
    }

    /**
     * Takes memory, or waits for it. Meanwhile the event counts as a computation, because hundreds of watches can wait
     * at once.
     *
     * @throws IOException if there is none, which ends the watch
     */
    private static void take(ClientMemory.Share memory, long bytes) throws IOException {
        if (memory.tryTake(bytes)) {
            return;
        }
        try (ClientMemory.Share waiting = ClientMemory.computation()) {
            if (!waiting.tryTake(bytes) || !memory.take(bytes, ClientMemory.PATIENCE)) {
                throw new IOException("clients hold too much memory for one more event");
            }
        }
    }

    private static byte[] encode(WatchFrame frame, ResponseView view, boolean first) {
        ResponseFormat format = view.format();
        if (format.encoding() == ResponseFormat.Encoding.JSON && format.shape() == ResponseFormat.Shape.OBJECT) {
            return frame.json();
        }
        return format.shape() == ResponseFormat.Shape.TABLE
                ? encodeAnew(frame, view, first) // ages and columns differ
                : frame.shared(format, () -> encodeAnew(frame, view, first));
    }

    private static byte[] encodeAnew(WatchFrame frame, ResponseView view, boolean first) {
        ResponseFormat format = view.format();
        JsonObject event = view.ofEvent(frame.type(), frame.object(), first);
        if (!format.protobuf()) {
            return event.toBytes();
        }
        byte[] protobuf = ProtobufDocument.eventOfJson(event, true);
        if (protobuf == null) {
            throw new IllegalStateException("no form in " + ApiRequest.PROTOBUF + " for "
                    + event.object("object").string("kind"));
        }
        return protobuf;
    }
}
