package io.kubeloop.apiserver.http;

import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.apiserver.http.websocket.WebSocketHandshake;
import io.kubeloop.apiserver.http.wire.HttpServerExchange;
import io.kubeloop.apiserver.http.wire.HttpServerExchange.Upgraded;
import io.kubeloop.json.tree.JsonValue;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.zip.GZIPOutputStream;

/** One request and its response, at the level of the API. Confined to the thread that serves it. */
final class HttpApiExchange {

    /**
     * Smaller bodies are not compressed, because that saves nothing on a local connection (the same 128 KiB as
     * upstream).
     */
    private static final int GZIP_FROM = 128 << 10;

    /** Headers that belong to one connection, or that this class sets. */
    private static final Set<String> NOT_HANDED_ON = Set.of(
            "content-length",
            "transfer-encoding",
            "connection",
            "date",
            "content-encoding",
            "content-type",
            "cache-control");

    private final HttpServerExchange exchange;
    private final int maxBodyBytes;

    HttpApiExchange(HttpServerExchange exchange, int maxBodyBytes) {
        this.exchange = exchange;
        this.maxBodyBytes = maxBodyBytes;
    }

    String method() {
        return exchange.method();
    }

    boolean isRead() {
        return method().equals("GET") || method().equals("HEAD");
    }

    String path() {
        return exchange.uri().getPath();
    }

    String header(String name) {
        List<String> values = exchange.headers(name);
        return values.isEmpty() ? "" : values.get(0);
    }

    List<String> headers(String name) {
        return exchange.headers(name);
    }

    /** Returns all {@code Accept} headers, joined. */
    String accept() {
        return String.join(",", exchange.headers("Accept"));
    }

    /** Returns the decoded query parameters; the first value of a repeated parameter counts. */
    Map<String, String> query() {
        Map<String, String> query = new LinkedHashMap<>();
        String raw = exchange.uri().getRawQuery();
        if (raw == null) {
            return query;
        }
        for (String parameter : raw.split("&", -1)) {
            if (!parameter.isEmpty()) {
                int equals = parameter.indexOf('=');
                String name = equals < 0 ? parameter : parameter.substring(0, equals);
                String value = equals < 0 ? "" : parameter.substring(equals + 1);
                query.putIfAbsent(decode(name), decode(value));
            }
        }
        return query;
    }

    private static String decode(String text) {
        try {
            return URLDecoder.decode(text, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw HttpApiFailure.badRequest("the query parameter \"" + text + "\" is not URL-encoded");
        }
    }

    /**
     * Reads the whole body. Blocks until the client has sent it, at most {@link HttpLimits#bodyTimeout()}.
     *
     * @throws HttpApiFailure 413 if the body is larger than allowed
     */
    byte[] body() throws IOException {
        byte[] body = exchange.body().readNBytes(maxBodyBytes + 1);
        if (body.length > maxBodyBytes) {
            throw HttpApiFailure.tooLarge(maxBodyBytes);
        }
        return body;
    }

    /** Copies the headers of the transport's response. */
    void copyHeaders(Map<String, List<String>> headers) {
        headers.forEach((name, values) -> {
            if (!NOT_HANDED_ON.contains(name.toLowerCase(Locale.ROOT))) {
                values.forEach(value -> exchange.addHeader(name, value));
            }
        });
    }

    /** Adds a {@code Warning} header, which clients show to their users (RFC 7234, 5.5). */
    void warn(String text) {
        String quoted = text.replace("\\", "\\\\").replace("\"", "\\\"");
        exchange.addHeader("Warning", "299 - \"" + quoted + "\"");
    }

    void replyJson(int code, JsonValue body) throws IOException {
        reply(code, ApiRequest.JSON, body.toBytes());
    }

    void reply(int code, String contentType, byte[] body) throws IOException {
        describe(contentType);
        byte[] sent = body;
        if (body.length >= GZIP_FROM && acceptsGzip()) {
            exchange.setHeader("Content-Encoding", "gzip");
            exchange.addHeader("Vary", "Accept-Encoding");
            sent = gzip(body);
        }
        exchange.reply(code, sent);
    }

    private void describe(String contentType) {
        exchange.setHeader("Content-Type", contentType);
        exchange.setHeader("Cache-Control", "no-cache, private");
    }

    private boolean acceptsGzip() {
        return MediaRange.parseAll(header("Accept-Encoding")).stream()
                .anyMatch(coding -> coding.type().equals("gzip") && coding.quality() > 0);
    }

    private static byte[] gzip(byte[] body) throws IOException {
        ByteArrayOutputStream buffer = new ByteArrayOutputStream(body.length / 4);
        try (GZIPOutputStream out = new GZIPOutputStream(buffer)) {
            out.write(body);
        }
        return buffer.toByteArray();
    }

    /** Starts a response of unknown length and sends its headers at once. */
    OutputStream startStream(int code, String contentType) throws IOException {
        describe(contentType);
        return exchange.replyInChunks(code);
    }

    /** Accepts a WebSocket. */
    Upgraded upgrade(WebSocketHandshake handshake) throws IOException {
        handshake.headers().forEach(exchange::setHeader);
        return exchange.upgrade(handshake.code());
    }

    /** Rejects a request for a WebSocket. As upstream, the connection closes and the answer has no content type. */
    void refuse(WebSocketHandshake handshake) throws IOException {
        handshake.headers().forEach(exchange::setHeader);
        exchange.closeAfterwards();
        exchange.reply(handshake.code(), handshake.text().getBytes(StandardCharsets.UTF_8));
    }

    /** Returns whether the client has disconnected while a response was sent; see {@link HttpServerExchange}. */
    boolean clientHasLeft() {
        return exchange.clientHasLeft();
    }

    /** Returns whether a response has begun, so that no other can be sent. */
    boolean hasResponse() {
        return exchange.hasResponse();
    }
}
