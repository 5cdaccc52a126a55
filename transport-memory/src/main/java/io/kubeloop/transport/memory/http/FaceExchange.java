package io.kubeloop.transport.memory.http;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import io.kubeloop.api.client.ApiRequest;
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

/** One request and its answer, in the words of this package. Confined to the thread that serves it. */
final class FaceExchange {

    /** Below this a compressed body saves nothing on a local connection (upstream: the same 128 KiB). */
    private static final int GZIP_FROM = 128 << 10;

    private static final int CHUNKED = 0;
    private static final int NO_BODY = -1;

    /** What belongs to one connection, and is not handed on. */
    private static final Set<String> HOP_BY_HOP =
            Set.of("content-length", "transfer-encoding", "connection", "date", "content-encoding");

    private final HttpExchange exchange;
    private final int maxBodyBytes;
    private boolean answered;

    FaceExchange(HttpExchange exchange, int maxBodyBytes) {
        this.exchange = exchange;
        this.maxBodyBytes = maxBodyBytes;
    }

    String method() {
        return exchange.getRequestMethod();
    }

    boolean isRead() {
        return method().equals("GET") || method().equals("HEAD");
    }

    String path() {
        return exchange.getRequestURI().getPath();
    }

    String header(String name) {
        String value = exchange.getRequestHeaders().getFirst(name);
        return value == null ? "" : value;
    }

    /** Returns all values of {@code Accept} as one. */
    String accept() {
        List<String> values = exchange.getRequestHeaders().get("Accept");
        return values == null ? "" : String.join(",", values);
    }

    /** Returns the query parameters, decoded; of several with the same name the first one. */
    Map<String, String> query() {
        Map<String, String> query = new LinkedHashMap<>();
        String raw = exchange.getRequestURI().getRawQuery();
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
            throw FaceFailure.badRequest("the query parameter \"" + text + "\" is not URL-encoded");
        }
    }

    /**
     * Reads the whole body.
     *
     * @throws FaceFailure 413 if it is larger than allowed
     */
    byte[] body() throws IOException {
        byte[] body = exchange.getRequestBody().readNBytes(maxBodyBytes + 1);
        if (body.length > maxBodyBytes) {
            throw FaceFailure.tooLarge(maxBodyBytes);
        }
        return body;
    }

    /** Hands on the headers of an answer that came from elsewhere. */
    void copyHeaders(Map<String, List<String>> headers) {
        Headers out = exchange.getResponseHeaders();
        headers.forEach((name, values) -> {
            if (!HOP_BY_HOP.contains(name.toLowerCase(Locale.ROOT))) {
                values.forEach(value -> out.add(name, value));
            }
        });
    }

    /** Adds a warning to the answer, which clients show to their users (RFC 7234, 5.5). */
    void warn(String text) {
        String quoted = text.replace("\\", "\\\\").replace("\"", "\\\"");
        exchange.getResponseHeaders().add("Warning", "299 - \"" + quoted + "\"");
    }

    void replyJson(int code, JsonValue body) throws IOException {
        reply(code, ApiRequest.JSON, body.toBytes());
    }

    void reply(int code, String contentType, byte[] body) throws IOException {
        Headers headers = exchange.getResponseHeaders();
        headers.set("Content-Type", contentType);
        headers.set("Cache-Control", "no-cache, private");
        byte[] sent = body;
        if (body.length >= GZIP_FROM && acceptsGzip()) {
            headers.set("Content-Encoding", "gzip");
            headers.add("Vary", "Accept-Encoding");
            sent = gzip(body);
        }
        answered = true;
        if (method().equals("HEAD") || sent.length == 0) {
            exchange.sendResponseHeaders(code, NO_BODY);
            return;
        }
        exchange.sendResponseHeaders(code, sent.length);
        try (OutputStream out = exchange.getResponseBody()) {
            out.write(sent);
        }
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

    /** Begins an answer without end; the headers go out at once. */
    OutputStream startStream(int code, String contentType) throws IOException {
        Headers headers = exchange.getResponseHeaders();
        headers.set("Content-Type", contentType);
        headers.set("Cache-Control", "no-cache, private");
        answered = true;
        exchange.sendResponseHeaders(code, CHUNKED);
        OutputStream out = exchange.getResponseBody();
        // Later JDKs hold the headers back until something is written, which in a quiet watch may take long.
        out.flush();
        return out;
    }

    /** Returns whether an answer has begun, so that no other can be sent. */
    boolean isAnswered() {
        return answered;
    }
}
