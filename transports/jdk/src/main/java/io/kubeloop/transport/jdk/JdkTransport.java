/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.transport.jdk;

import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.api.client.ApiResponse;
import io.kubeloop.api.client.ApiStream;
import io.kubeloop.api.client.FramedStream;
import io.kubeloop.api.client.LimitedBody;
import io.kubeloop.api.client.Transport;
import io.kubeloop.api.client.TransportException;
import io.kubeloop.api.client.TransportException.Kind;
import java.io.InputStream;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A transport on the JDK's {@link HttpClient}, over HTTP/1.1. Each open stream has its own connection; requests share
 * some. Thread-safe.
 *
 * <pre>{@code
 * HttpClient.Builder http = HttpClient.newBuilder().sslContext(context).connectTimeout(Duration.ofSeconds(10));
 * try (Transport transport = JdkTransport.create(
 *         URI.create("https://10.0.0.1:6443"), http,
 *         request -> request.header("Authorization", "Bearer " + token()))) {
 *     KubeClient client = KubeClient.of(transport, codec);
 * }
 * }</pre>
 *
 * <p><b>Blocking.</b> Requests run on their caller's thread and block until the headers of the response have arrived;
 * reading a body or stream blocks until bytes arrive. The deadline ends every wait as {@code TIMEOUT}, or as {@code
 * CONNECT} while there is no connection. An interrupt ends it as {@code CLOSED}, and the thread stays interrupted.
 *
 * <p><b>Missing features.</b> {@code transport-http} also has kubeconfig and its credentials, retries after 401, 429
 * and 5xx, a rate limit, compression, HTTP/2 and pings.
 *
 * <p><b>Dead peers.</b> Only the deadline of a request detects a peer that disappeared silently, and on each connection
 * separately. A request that reaches its deadline ends its own connection. The JDK's client cannot drop its idle
 * connections, each of which may cost one more request its deadline. It keeps them for {@code
 * jdk.httpclient.keepalive.timeout} seconds: 1200 by default, 30 since Java 20.
 *
 * <p>The transport has three threads. They have ended when {@link #close} returns.
 */
public final class JdkTransport implements Transport {

    /*
     * Invariants:
     * T1: a call is in `open` from when it was sent until it has ended.
     * T2: close() sets `closed` before it walks `open` and ends the threads; send() reads `closed` after it has added a
     *     call. So no call is missed.
     */
    private static final int MAX_FRAME = 64 << 20;
    private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(60);

    private final String server;
    private final Consumer<HttpRequest.Builder> headers;
    private final JdkThreads threads = new JdkThreads();
    private final HttpClient client;
    private final Set<JdkCall> open = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    private JdkTransport(URI server, HttpClient.Builder http, Consumer<HttpRequest.Builder> headers) {
        this.server = server.toString().replaceFirst("/$", "");
        this.headers = headers;
        this.client = threads.build(http.version(HttpClient.Version.HTTP_1_1));
    }

    /**
     * Returns a new transport. Connects to nothing yet.
     *
     * @param server the address of the API server, such as {@code https://10.0.0.1:6443}
     * @param http the settings for TLS, proxy and connect timeout; the transport sets version and executor. Set the
     *     connect timeout: the JDK's client (17) does not always report a failed TLS handshake, and without the timeout
     *     only the request's deadline ends the wait
     * @param headers called for each request on the caller's thread, to add its credentials
     */
    public static JdkTransport create(URI server, HttpClient.Builder http, Consumer<HttpRequest.Builder> headers) {
        return new JdkTransport(server, http, headers);
    }

    /**
     * {@inheritDoc}
     *
     * <p>The deadline is one minute if the request has none, and includes the reading of the body. An interrupt ends
     * the call as {@code CLOSED}. A body of more than 1 GiB fails as {@code TOO_LARGE}.
     */
    @Override
    public ApiResponse execute(ApiRequest request) {
        JdkCall call = send(request, Objects.requireNonNullElse(request.deadline(), REQUEST_TIMEOUT));
        HttpResponse<InputStream> answer = call.await();
        return new ApiResponse(answer.statusCode(), lowerCase(answer.headers()), new LimitedBody(call.what(), call));
    }

    /**
     * {@inheritDoc}
     *
     * <p>If the request has no deadline, the headers must arrive within a minute, and the stream has no time limit.
     * An interrupt ends the call, or a blocked {@link ApiStream#next()}, as {@code CLOSED}.
     */
    @Override
    public ApiStream stream(ApiRequest request) {
        JdkCall call = send(request, request.deadline());
        HttpResponse<InputStream> answer = call.await();
        return new FramedStream(call.what(), answer.statusCode(), lowerCase(answer.headers()), call, MAX_FRAME);
    }

    private JdkCall send(ApiRequest request, @Nullable Duration deadline) {
        String what = request.describe() + " at " + server;
        if (closed) {
            throw new TransportException(Kind.CLOSED, what + ": the transport is closed", null);
        }
        if (deadline != null && (deadline.isZero() || deadline.isNegative())) {
            throw new TransportException(Kind.TIMEOUT, what + ": not sent within " + deadline, null);
        }
        JdkCall call = new JdkCall(what, exchange(build(request)), deadline, open);
        if (closed) {
            call.close();
        }
        return call;
    }

    /** Sends a request. A rejected task means that the transport was closed, which T2 reports. */
    private CompletableFuture<HttpResponse<InputStream>> exchange(HttpRequest request) {
        try {
            return client.sendAsync(request, BodyHandlers.ofInputStream());
        } catch (RejectedExecutionException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private HttpRequest build(ApiRequest request) {
        String target = request.query().entrySet().stream()
                .map(parameter -> encode(parameter.getKey()) + "=" + encode(parameter.getValue()))
                .collect(Collectors.joining("&", encode(request.path()).replace("%2F", "/") + "?", ""));
        HttpRequest.Builder builder = HttpRequest.newBuilder(URI.create(server + target))
                .timeout(Objects.requireNonNullElse(request.deadline(), REQUEST_TIMEOUT))
                .header("Accept", request.accept());
        ApiRequest.Body body = request.body();
        if (body == null) {
            builder.method(request.method(), BodyPublishers.noBody());
        } else {
            builder.method(request.method(), BodyPublishers.ofByteArray(body.bytes()));
            builder.header("Content-Type", body.contentType());
        }
        headers.accept(builder);
        return builder.build();
    }

    private static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    private static Map<String, List<String>> lowerCase(HttpHeaders headers) {
        return headers.map().entrySet().stream()
                .collect(Collectors.toMap(header -> header.getKey().toLowerCase(Locale.ROOT), Map.Entry::getValue));
    }

    /** Ends all calls, and blocks until the transport's threads have ended. An interrupt ends that wait. */
    @Override
    public void close() {
        closed = true;
        open.forEach(JdkCall::close);
        threads.close();
    }
}
