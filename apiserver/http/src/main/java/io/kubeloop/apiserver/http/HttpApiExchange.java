/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.http;

import com.google.re2j.Pattern;
import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.apiserver.http.header.WarningLimits;
import io.kubeloop.apiserver.http.negotiation.PrettyJson;
import io.kubeloop.apiserver.http.negotiation.ResponseFormat;
import io.kubeloop.apiserver.http.websocket.WebSocketHandshake;
import io.kubeloop.apiserver.http.wire.ClientMemory;
import io.kubeloop.apiserver.http.wire.HttpServerExchange;
import io.kubeloop.apiserver.http.wire.HttpServerExchange.Upgraded;
import io.kubeloop.apiserver.registry.Route;
import io.kubeloop.apiserver.registry.ServerResponse;
import io.kubeloop.apiserver.rest.StatusException;
import io.kubeloop.json.protobuf.NotInSchemaException;
import io.kubeloop.json.protobuf.ProtobufDocument;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.yaml.YamlWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URLDecoder;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One request and its response, at the level of the API. Confined to the thread that serves it. */
final class HttpApiExchange {

    private static final Logger log = LoggerFactory.getLogger(HttpApiExchange.class);

    /**
     * Smaller bodies are not compressed, because that saves nothing on a local connection (the same 128 KiB as
     * upstream).
     */
    private static final int GZIP_FROM = 128 << 10;

    private static final int PART = 16 << 10;
    private static final Duration PATIENCE_TO_COMPUTE = Duration.ofSeconds(20);

    private static final Pattern NONE = Pattern.compile("\\s*q\\s*=\\s*0(\\.0*)?\\s*");

    /** As upstream, JSON that is not indented ends with a line break. Clients compare and print such bodies. */
    static final byte[] END_OF_DOCUMENT = {'\n'};

    private static final byte[] NOTHING = {};

    /** Longer lists have no declared length, as upstream. */
    private static final int FEW_PIECES = 64;

    private final HttpServerExchange exchange;
    private final int maxBodyBytes;
    private boolean cached;
    private @Nullable Route route;

    HttpApiExchange(HttpServerExchange exchange, int maxBodyBytes) {
        this.exchange = exchange;
        this.maxBodyBytes = maxBodyBytes;
    }

    /** Returns the exchange at the level of HTTP, to relay it. */
    HttpServerExchange wire() {
        return exchange;
    }

    /** Returns what the request holds. */
    ClientMemory.Share memory() {
        return exchange.memory();
    }

    /** Notes the route that serves the request. */
    void servedBy(Route found) {
        route = found;
    }

    /** Returns the route that serves the request; null if no resource does. */
    @Nullable
    Route route() {
        return route;
    }

    /** Returns the status code of the response; 0 if none has begun. */
    int status() {
        return exchange.status();
    }

    String method() {
        return exchange.method();
    }

    String path() {
        return exchange.target().path();
    }

    String header(String name) {
        List<String> values = exchange.headers(name);
        return values.isEmpty() ? "" : values.get(0);
    }

    Set<String> headerNames() {
        return exchange.headerNames();
    }

    List<String> headers(String name) {
        return exchange.headers(name);
    }

    /** Returns the certificate of the client and its intermediate certificates; empty if it has sent none. */
    List<X509Certificate> certificates() {
        return exchange.certificates();
    }

    /** Returns all {@code Accept} headers, joined. */
    String accept() {
        return String.join(",", exchange.headers("Accept"));
    }

    /** Returns the decoded query parameters; the first value of a repeated parameter counts. */
    Map<String, String> query() {
        Map<String, String> query = new LinkedHashMap<>();
        parameters().forEach(parameter -> query.putIfAbsent(parameter.getKey(), parameter.getValue()));
        return query;
    }

    /** Returns all values of a query parameter. */
    List<String> queryValues(String name) {
        return parameters().stream()
                .filter(parameter -> parameter.getKey().equals(name))
                .map(Map.Entry::getValue)
                .toList();
    }

    /** As upstream, parameters that cannot be decoded are ignored. */
    private List<Map.Entry<String, String>> parameters() {
        List<Map.Entry<String, String>> parameters = new ArrayList<>();
        for (String parameter : exchange.target().rawQuery().split("&", -1)) {
            int equals = parameter.indexOf('=');
            String name = decode(equals < 0 ? parameter : parameter.substring(0, equals));
            String value = decode(equals < 0 ? "" : parameter.substring(equals + 1));
            if (!parameter.isEmpty() && parameter.indexOf(';') < 0 && name != null && value != null) {
                parameters.add(Map.entry(name, value));
            }
        }
        return parameters;
    }

    private static @Nullable String decode(String text) {
        try {
            return URLDecoder.decode(text, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    /**
     * Reads the whole body. Blocks until the client has sent it, at most {@link HttpLimits#bodyTimeout()}.
     *
     * @throws StatusException 413 if the body is larger than allowed, 429 if all clients hold too much memory
     */
    byte[] body() throws IOException {
        List<byte[]> parts = new ArrayList<>();
        int length = 0;
        byte[] part = exchange.body().readNBytes(PART);
        while (part.length > 0) {
            length += part.length;
            if (length > maxBodyBytes) {
                throw StatusException.tooLarge("Request entity too large: limit is " + maxBodyBytes);
            }
            hold(part.length);
            parts.add(part);
            part = exchange.body().readNBytes(PART);
        }
        return joined(parts, length);
    }

    private static byte[] joined(List<byte[]> parts, int length) {
        if (parts.size() == 1) {
            return parts.get(0);
        }
        ByteBuffer joined = ByteBuffer.allocate(length);
        parts.forEach(joined::put);
        return joined.array();
    }

    /**
     * Counts bytes that the request holds until it has been answered.
     *
     * @throws StatusException 429 if all clients hold too much memory
     */
    void hold(long bytes) {
        require(exchange.memory().take(bytes, ClientMemory.PATIENCE));
    }

    private static void require(boolean granted) {
        if (!granted) {
            throw StatusException.tooManyRequests("too many requests, please try again later", 1);
        }
    }

    /**
     * Computes something that needs memory.
     *
     * @param bytes the most bytes that it needs
     * @throws StatusException 429 if all computations need too much memory
     */
    static <T> T computing(long bytes, Supplier<T> computation) {
        try (ClientMemory.Share needed = ClientMemory.computation()) {
            require(needed.take(bytes, PATIENCE_TO_COMPUTE));
            return computation.get();
        }
    }

    /** Adds a header to the response. */
    void addHeader(String name, String value) {
        exchange.addHeader(name, value);
    }

    /** Allows clients to cache the response and to revalidate it. */
    void cachedAs(String tag) {
        cached = true;
        exchange.setHeader("ETag", tag);
        exchange.setHeader("Vary", "Accept");
        exchange.setHeader("Cache-Control", "public");
    }

    /** Sends the hash of the response, with which clients can revalidate a cached response. */
    void tagged(String tag) {
        exchange.setHeader("ETag", tag);
        exchange.setHeader("Vary", "Accept");
    }

    /** Allows clients to keep the response until a time, because it never changes. */
    void cachedForever(String expires) {
        cached = true;
        exchange.setHeader("Cache-Control", "public, immutable");
        exchange.setHeader("Expires", expires);
    }

    /** Allows clients to keep the response for a time. */
    void cachedFor(int seconds) {
        cached = true;
        exchange.setHeader("Cache-Control", "public, max-age=" + seconds);
    }

    /** Forbids browsers to guess another type of the body. */
    void noSniff() {
        exchange.setHeader("X-Content-Type-Options", "nosniff");
    }

    /** Adds {@code Warning} headers, which clients show to their users (RFC 7234, 5.5). */
    void warn(List<String> texts) {
        for (String text : WarningLimits.of(texts)) {
            String quoted = text.replace("\\", "\\\\").replace("\"", "\\\"");
            exchange.addHeader("Warning", "299 - \"" + quoted + "\"");
        }
    }

    /** Sends a document in the negotiated format. */
    void reply(int code, JsonObject document, ResponseFormat format) throws IOException {
        encode(document, format).send(code);
    }

    /**
     * Sends a document that is computed in memory, in the negotiated format.
     *
     * @param work the bytes that the computation needs
     * @param document computes the document
     * @throws StatusException 429 if all clients hold too much memory
     */
    void reply(int code, long work, Supplier<JsonObject> document, ResponseFormat format) throws IOException {
        computing(work, () -> {
                    Encoded encoded = encode(document.get(), format);
                    hold(encoded.content().length);
                    return encoded;
                })
                .send(code);
    }

    /** An encoded document. */
    private record Encoded(HttpApiExchange exchange, String contentType, byte[] content, byte[] end) {

        void send(int code) throws IOException {
            exchange.reply(code, contentType, content, end);
        }
    }

    private Encoded encode(JsonObject document, ResponseFormat format) {
        return switch (format.encoding()) {
            case YAML ->
                new Encoded(
                        this,
                        format.encoding().mediaType(),
                        YamlWriter.write(document).getBytes(StandardCharsets.UTF_8),
                        NOTHING);
            case PROTOBUF -> protobuf(document);
            case JSON ->
                isPretty(format)
                        ? new Encoded(this, ApiRequest.JSON, PrettyJson.indent(document.toBytes()), NOTHING)
                        : new Encoded(this, ApiRequest.JSON, document.toBytes(), END_OF_DOCUMENT);
        };
    }

    private boolean isPretty(ResponseFormat format) {
        return PrettyJson.isWanted(format, query(), header("User-Agent"));
    }

    /** A document without a form in protocol buffers, such as that of a custom resource, is sent in JSON. */
    private Encoded protobuf(JsonObject document) {
        byte[] protobuf = null;
        try {
            protobuf = ProtobufDocument.ofJson(document, true);
        } catch (NotInSchemaException e) {
            log.debug("Responding in JSON instead of protocol buffers: path={} problem={}", path(), e.getMessage());
        }
        return protobuf == null
                ? new Encoded(this, ApiRequest.JSON, document.toBytes(), END_OF_DOCUMENT)
                : new Encoded(this, ApiRequest.PROTOBUF, protobuf, NOTHING);
    }

    /**
     * Sends a document in JSON, indented where the client wants it. The pieces of a long list are encoded while it is
     * sent.
     */
    void replyJson(int code, ServerResponse.Document document, ResponseFormat format) throws IOException {
        hold(document.weight());
        if (isPretty(format)) {
            reply(code, ApiRequest.JSON, PrettyJson.indent(document.bytes()));
        } else if (document.pieces().size() <= FEW_PIECES) {
            reply(code, ApiRequest.JSON, document.bytes(), END_OF_DOCUMENT);
        } else {
            describe(ApiRequest.JSON);
            boolean zipped = document.weight() >= GZIP_FROM && acceptsGzip();
            if (zipped) {
                zipped();
            }
            OutputStream chunks = exchange.replyInChunks(code);
            try (OutputStream out = zipped ? new GZIPOutputStream(chunks, PART) : chunks) {
                for (ByteBuffer piece : document.pieces()) {
                    out.write(piece.array(), piece.arrayOffset() + piece.position(), piece.remaining());
                }
                out.write(END_OF_DOCUMENT);
            }
        }
    }

    private void zipped() {
        exchange.setHeader("Content-Encoding", "gzip");
        exchange.addHeader("Vary", "Accept-Encoding");
    }

    /** Sends a text. */
    void replyText(int code, String text) throws IOException {
        reply(code, "text/plain; charset=utf-8", text.getBytes(StandardCharsets.UTF_8));
    }

    /** Sends the response for a path outside the API. */
    void replyNoPage() throws IOException {
        noSniff();
        replyText(404, "404 page not found\n");
    }

    /** Redirects the client to another path of this server. */
    void redirect(String location) throws IOException {
        exchange.setHeader("Location", location);
        exchange.reply(301);
    }

    /** Returns whether the client has connected with TLS. */
    boolean isSecure() {
        return exchange.isSecure();
    }

    /** Sends a response without a body. */
    void replyNothing(int code) throws IOException {
        exchange.reply(code, new byte[0]);
    }

    /** Sends the parts of a body. */
    void reply(int code, String contentType, byte[]... body) throws IOException {
        describe(contentType);
        if (Arrays.stream(body).mapToInt(part -> part.length).sum() >= GZIP_FROM && acceptsGzip()) {
            zipped();
            exchange.reply(code, gzip(body));
        } else {
            exchange.reply(code, body);
        }
    }

    private void describe(String contentType) {
        exchange.setHeader("Content-Type", contentType);
        if (!cached) {
            notCached();
        }
    }

    /** Forbids clients to keep the response. */
    void notCached() {
        exchange.setHeader("Cache-Control", "no-cache, private");
    }

    private boolean acceptsGzip() {
        for (String coding : header("Accept-Encoding").split(",", -1)) {
            String[] parts = coding.split(";", 2);
            if (parts[0].strip().equals("gzip")
                    && (parts.length == 1 || !NONE.matcher(parts[1]).matches())) {
                return true;
            }
        }
        return false;
    }

    private static byte[] gzip(byte[]... body) throws IOException {
        ByteArrayOutputStream buffer = new ByteArrayOutputStream(body[0].length / 4);
        try (GZIPOutputStream out = new GZIPOutputStream(buffer)) {
            for (byte[] part : body) {
                out.write(part);
            }
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

    /** Returns whether a response has begun, so no other can be sent. */
    boolean hasResponse() {
        return exchange.hasResponse();
    }
}
