package io.kubeloop.apiserver.http;

import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.api.client.ApiStream;
import io.kubeloop.api.client.TransportException;
import io.kubeloop.apiserver.http.watch.ChunkedWatch;
import io.kubeloop.apiserver.http.watch.OpenWatches;
import io.kubeloop.apiserver.http.watch.WatchOutput;
import io.kubeloop.apiserver.http.watch.WebSocketWatch;
import io.kubeloop.apiserver.http.websocket.WebSocketHandshake;
import io.kubeloop.apiserver.http.wire.HttpThreads;
import io.kubeloop.json.protobuf.ProtobufDocument;
import io.kubeloop.json.tree.JsonObject;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sends watches to their clients, as chunks or over a WebSocket. Thread-safe. */
final class WatchRoute {

    private static final Logger log = LoggerFactory.getLogger(WatchRoute.class);

    private final HttpThreads threads;
    private final OpenWatches open;

    WatchRoute(HttpThreads threads, OpenWatches open) {
        this.threads = threads;
        this.open = open;
    }

    /** Relays a stream until it ends or the client disconnects; an error of the stream is a regular response. */
    void serve(HttpApiExchange exchange, ApiStream stream, ApiRequest request, ResponseView view) throws IOException {
        if (stream.code() != 200) {
            byte[] body = stream.next();
            exchange.copyHeaders(stream.headers());
            exchange.reply(stream.code(), ApiRequest.JSON, body == null ? new byte[0] : body);
            return;
        }
        boolean protobuf = view.format().protobuf();
        if (WebSocketHandshake.isRequested(exchange::headers)) {
            WebSocketHandshake handshake = WebSocketHandshake.answer(exchange::headers);
            if (handshake.code() == 101) {
                try (WebSocketWatch output =
                        WebSocketWatch.start(exchange.upgrade(handshake), !protobuf, threads, stream::close)) {
                    relay(stream, output, request, view);
                }
            } else {
                exchange.refuse(handshake);
            }
            return;
        }
        exchange.copyHeaders(stream.headers());
        String type = protobuf ? ApiRequest.PROTOBUF + ";stream=watch" : ApiRequest.JSON;
        relay(
                stream,
                new ChunkedWatch(exchange.startStream(200, type), protobuf, exchange::clientHasLeft),
                request,
                view);
    }

    private void relay(ApiStream stream, WatchOutput output, ApiRequest request, ResponseView view) throws IOException {
        OpenWatches.Watch watch = open.add(output, stream::close);
        try {
            boolean first = true;
            for (byte[] frame = stream.next(); frame != null; frame = stream.next()) {
                if (view.format().isPlain()) {
                    output.send(frame);
                    continue;
                }
                JsonObject event = JsonObject.parse(frame);
                output.send(encode(view.ofEvent(event, first), view.format()));
                first &= event.string("type").equals("BOOKMARK");
            }
        } catch (TransportException e) {
            if (e.kind() != TransportException.Kind.CLOSED) {
                // The connection must be cut: a regular end would tell the client that it has received everything.
                log.warn("A watch ended early: request={} error={}", request.describe(), e.getMessage());
                throw e;
            }
        } finally {
            open.remove(watch);
        }
        output.finish();
    }

    private static byte[] encode(JsonObject event, ResponseFormat format) {
        byte[] protobuf = format.protobuf() ? ProtobufDocument.eventOfJson(event, true) : null;
        if (format.protobuf() && protobuf == null) {
            throw new IllegalStateException("no protobuf schema for " + event.object("object"));
        }
        return protobuf == null ? event.toBytes() : protobuf;
    }
}
