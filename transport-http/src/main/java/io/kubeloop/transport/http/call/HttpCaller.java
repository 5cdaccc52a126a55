/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.transport.http.call;

import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.api.client.ApiResponse;
import io.kubeloop.api.client.ApiStream;
import io.kubeloop.api.client.TransportException;
import io.kubeloop.runtime.Scheduler;
import io.kubeloop.runtime.UserCallbacks;
import io.kubeloop.transport.http.ClientConfig;
import io.kubeloop.transport.http.RequestMetrics;
import io.kubeloop.transport.http.Timeouts;
import io.kubeloop.transport.http.credentials.CredentialSource;
import io.kubeloop.transport.http.credentials.Credentials;
import io.kubeloop.transport.http.pacing.RetryPolicy;
import io.kubeloop.transport.http.pacing.TokenBucket;
import io.kubeloop.transport.http.route.IpAddresses;
import io.kubeloop.transport.http.route.ProxySetup;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import okhttp3.Call;
import okhttp3.ConnectionSpec;
import okhttp3.EventListener;
import okhttp3.HttpUrl;
import okhttp3.OkHttpClient;
import okhttp3.Response;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The parts that all requests of one transport share, and the entry to sending them (upstream: {@code
 * client-go/rest/request.go}, {@code with_retry.go}). Thread-safe; everything happens on the calling thread.
 *
 * <p>{@link HttpExchange} sends one request, attempt by attempt. It sends a request again
 *
 * <ul>
 *   <li>when the server requests a later attempt ({@link RetryPolicy});
 *   <li>once after a 401, if there is a fresh credential or certificate;
 *   <li>once after TLS failed, if there are fresh certificates;
 *   <li>once if the connection of a GET broke before the response;
 *   <li>when the server reports that it did not process the request (HTTP/2: a GOAWAY that excludes it, or
 *       REFUSED_STREAM).
 * </ul>
 *
 * <p>Nothing else is sent again: after a broken connection, the client cannot know whether a write was carried out.
 *
 * <p>An attempt after the first one waits for the rate limit again. The exception is a request that the server did not
 * process, because its turn is unused (Go's HTTP/2 client repeats such requests below the rate limit, too).
 *
 * @param rateLimit the client-side rate limit; null for none
 */
public record HttpCaller(
        HttpRequests requests,
        HttpClients clients,
        OpenCalls open,
        CredentialSource credentials,
        @Nullable RateLimit rateLimit,
        Scheduler scheduler,
        Observers observers) {

    private static final Logger LOG = LoggerFactory.getLogger(HttpCaller.class);

    /**
     * The client-side rate limit.
     *
     * @param bucket the rate
     * @param notice logs long waits
     */
    record RateLimit(TokenBucket bucket, ThrottleNotice notice) {}

    /**
     * The user's code that observes requests. Its exceptions never reach a request.
     *
     * @param warnings receives the server's warnings
     * @param metrics measures requests
     * @param guard logs exceptions of the metrics
     */
    record Observers(Warnings warnings, RequestMetrics metrics, UserCallbacks guard) {

        /** Passes a measurement to the metrics. An error reaches the caller, such as a failed assertion of a test. */
        void measure(Consumer<RequestMetrics> call) {
            try {
                call.accept(metrics);
            } catch (RuntimeException e) {
                guard.failed(e, failure -> LOG.error("The metrics of requests failed; the request continues", failure));
            }
        }
    }

    /**
     * Makes the parts of a transport. Connects to nothing yet.
     *
     * @param open the calls of the transport
     * @throws TransportException of kind {@code CONFIGURATION} if the configuration contradicts itself, requires what
     *     is not supported, or names a file that cannot be read
     */
    public static HttpCaller of(ClientConfig config, OpenCalls open, CallOptions options) {
        Scheduler scheduler = options.scheduler();
        HttpUrl server = HttpRequests.baseUrl(config);
        ProxySetup proxy = ProxySetup.of(config.proxyUrl(), options.environment(), server);
        HttpRequests requests = new HttpRequests(config, server, proxy.suffix());
        RequestMetrics metrics = options.metrics().register(host(server));
        HttpClients clients = new HttpClients(
                config,
                template(config.timeouts(), options.mayWrite()),
                options.tlsProvider(),
                proxy,
                open,
                scheduler::nanoTime);
        if (config.tls().insecure()) {
            LOG.warn("TLS certificates are not verified: any server can impersonate {}", requests.server());
        }
        return new HttpCaller(
                requests,
                clients,
                open,
                Credentials.of(config, clients::show, options.execTimeout(), scheduler),
                config.qps() > 0
                        ? new RateLimit(
                                new TokenBucket(config.qps(), config.burst(), scheduler::nanoTime),
                                new ThrottleNotice(scheduler::nanoTime))
                        : null,
                scheduler,
                new Observers(new Warnings(options.warningHandler()), metrics, new UserCallbacks(Scheduler.system())));
    }

    private static String host(HttpUrl server) {
        String host = IpAddresses.bracketed(server.host());
        boolean isDefault = server.port() == HttpUrl.defaultPort(server.scheme());
        return isDefault ? host : host + ":" + server.port();
    }

    private static OkHttpClient template(Timeouts timeouts, BooleanSupplier mayWrite) {
        return new OkHttpClient.Builder()
                // A client that could encrypt would load the certificates that the JVM trusts: a third of the time of a
                // first client.
                .connectionSpecs(List.of(ConnectionSpec.CLEARTEXT))
                .connectTimeout(timeouts.connect())
                .readTimeout(timeouts.read())
                .writeTimeout(timeouts.read())
                .callTimeout(timeouts.call())
                .pingInterval(timeouts.ping())
                .followRedirects(false)
                .followSslRedirects(false)
                .addNetworkInterceptor(new WriteFence(mayWrite))
                .eventListenerFactory(call -> {
                    CallProgress progress = call.request().tag(CallProgress.class);
                    return progress == null ? EventListener.NONE : progress;
                })
                .build();
    }

    /**
     * A response whose headers have arrived. The call stays registered until {@link #close()}.
     *
     * @param call the call; canceling it interrupts a reader
     * @param response the response
     * @param what the request, for messages
     * @param open the registry of the call
     */
    public record Answer(Call call, Response response, String what, OpenCalls open) {

        /** Frees the connection. Must not be called while another thread reads the body. */
        void close() {
            try {
                response.close();
            } finally {
                open.remove(call);
            }
        }
    }

    /**
     * Sends a request and returns the response, whatever its code. Blocks until the headers have arrived; see {@link
     * io.kubeloop.transport.http.OkHttpTransport} for limits and interrupts.
     *
     * @param maxBytes the largest body to accept, after decompression
     * @throws TransportException if no response arrived
     */
    public ApiResponse execute(ApiRequest request, long maxBytes) {
        long start = scheduler.nanoTime();
        Answer answer = null;
        try {
            answer = call(request, false);
        } finally {
            if (answer == null) {
                finished(request, start, 0);
            }
        }
        return new ApiResponse(
                answer.response().code(),
                HeaderMaps.of(answer.response().headers()),
                new AnswerBody(answer, maxBytes, received -> finished(request, start, received)));
    }

    private void finished(ApiRequest request, long start, long received) {
        ApiRequest.Body body = request.body();
        observers.measure(metrics -> metrics.finished(
                request.method(),
                Duration.ofNanos(scheduler.nanoTime() - start),
                body == null ? 0 : body.bytes().length,
                received));
    }

    /**
     * Sends a request and returns the response as a stream of frames. Blocks until the headers have arrived.
     *
     * @param maxFrameBytes the largest frame to accept
     * @throws TransportException if no response arrived
     */
    public ApiStream stream(ApiRequest request, long maxFrameBytes) {
        return HttpApiStream.of(call(request, true), maxFrameBytes);
    }

    private Answer call(ApiRequest request, boolean stream) {
        return new HttpExchange(this, request, stream).untilAnswered();
    }

    /** Ends every call and every exec plugin. Does not wait for the threads that made them. */
    public void close() {
        open.close();
        credentials.close();
    }

    /** Returns the server's address, for messages. */
    public String server() {
        return requests.server();
    }

    /**
     * Logs that requests wait for the client-side rate limit: at info level waits of more than a second, at most one
     * line per ten seconds; all other waits at debug level. Thread-safe.
     */
    static final class ThrottleNotice {

        private static final Logger LOG = LoggerFactory.getLogger(ThrottleNotice.class);
        private static final Duration SLOW = Duration.ofSeconds(1);
        private static final Duration INTERVAL = Duration.ofSeconds(10);

        private final LongSupplier nanoTime;

        /** The earliest time of the next line. The thread that advances it writes the line. */
        private final AtomicLong next;

        public ThrottleNotice(LongSupplier nanoTime) {
            this.nanoTime = nanoTime;
            this.next = new AtomicLong(nanoTime.getAsLong());
        }

        public void waiting(String what, Duration delay) {
            if (delay.compareTo(SLOW) > 0 && isDue()) {
                LOG.info("{} waits {} for the client-side rate limit", what, delay);
            } else {
                LOG.debug("{} waits {} for the client-side rate limit", what, delay);
            }
        }

        private boolean isDue() {
            long now = nanoTime.getAsLong();
            long due = next.get();
            return now - due >= 0 && next.compareAndSet(due, now + INTERVAL.toNanos());
        }
    }
}
