package io.kubeloop.transport.jdk;

import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.api.client.ApiResponse;
import io.kubeloop.api.client.ApiStream;
import io.kubeloop.api.client.FramedStream;
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
 * Carries requests with {@link HttpClient}, over HTTP/1.1: one connection for each open stream, and some for requests.
 *
 * <pre>{@code
 * HttpClient.Builder http = HttpClient.newBuilder().sslContext(context).connectTimeout(Duration.ofSeconds(10));
 * try (Transport transport = JdkTransport.create(
 *         URI.create("https://10.0.0.1:6443"), http, request -> request.header("Authorization", "Bearer " + token()))) {
 *     KubeClient client = KubeClient.of(transport, codec);
 * }
 * }</pre>
 *
 * <p>It leaves out what the caller can do without, and {@code transport-http} has: kubeconfig and its ways to authenticate,
 * repeating after 401, 429 and 5xx, a rate limit, compression, HTTP/2 and its pings. A peer that vanished without a word
 * is noticed by a request's deadline alone, and on each connection anew: a request that runs into its deadline ends its own
 * connection, but the JDK's client has no way to drop the idle ones, each of which costs one more request its deadline. It
 * keeps them for {@code jdk.httpclient.keepalive.timeout} seconds: 1200 by default, 30 since Java 20.
 *
 * <p>Thread-safe. Has three threads, which are gone when {@link #close} has returned.
 */
public final class JdkTransport implements Transport {

    // T1: a call is in open from when it was sent until it has ended.
    // T2: closed is set before open is walked and the threads end, and read after a call was added: none is missed.
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
     * Returns a new transport.
     *
     * @param server where the API server is, such as {@code https://10.0.0.1:6443}
     * @param http TLS, proxy and time-out of connecting; version and executor are set here. Set that time-out: the JDK's
     *     client (17) does not always tell when a TLS handshake fails, and without it only a request's deadline ends the wait
     * @param headers called for each request on the caller's thread, to add what authenticates it
     */
    public static JdkTransport create(URI server, HttpClient.Builder http, Consumer<HttpRequest.Builder> headers) {
        return new JdkTransport(server, http, headers);
    }

    /** {@inheritDoc} The deadline is one minute where the request has none, and covers the reading of the body. */
    @Override
    public ApiResponse execute(ApiRequest request) {
        JdkCall call = send(request, Objects.requireNonNullElse(request.deadline(), REQUEST_TIMEOUT));
        HttpResponse<InputStream> answer = call.await();
        return new ApiResponse(answer.statusCode(), lowerCase(answer.headers()), call);
    }

    /** {@inheritDoc} Where the request has no deadline, the headers have to come within a minute, and the stream is endless. */
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

    /** Sends a request. That the threads are gone is an answer too: T2 makes it tell that the transport was closed. */
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

    @Override
    public void close() {
        closed = true;
        open.forEach(JdkCall::close);
        threads.close();
    }
}
