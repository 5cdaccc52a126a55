package io.kubeloop.transport.http;

import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.api.client.ApiResponse;
import io.kubeloop.api.client.ApiStream;
import io.kubeloop.api.client.Transport;
import io.kubeloop.api.client.TransportException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import okhttp3.ConnectionPool;
import okhttp3.EventListener;
import okhttp3.OkHttpClient;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A transport over HTTP/1.1 and HTTP/2, on OkHttp.
 *
 * <p>Every call blocks its caller, on the caller's thread; no request waits for another one, however many streams are open.
 * Requests, and streams as well, have connections of their own, so that a flood of events cannot hold up a write. Redirects
 * are refused. Which answers are asked for again by itself: 429 and 5xx with {@code Retry-After} (up to 10 times), 401 if
 * there is another credential by now (once), and a GET whose connection broke (once).
 *
 * <p>Thread-safe. After {@link #close()} there is no connection left; OkHttp's own housekeeping thread, which all clients of
 * a JVM share, is a daemon and ends when it has been idle for a minute.
 */
public final class OkHttpTransport implements Transport {

    private static final Logger log = LoggerFactory.getLogger(OkHttpTransport.class);
    private static final int IDLE_CONNECTIONS = 25;
    private static final Duration IDLE_TIME = Duration.ofSeconds(90);

    private final OkHttpClient requestClient;
    private final OkHttpClient streamClient;
    private final HttpCaller caller;
    private final OpenCalls open;
    private final HttpRequests requests;
    private final long maxFrameBytes;

    private OkHttpTransport(Builder options) {
        ClientConfig config = options.config;
        ConnectionPool requestPool = pool();
        ConnectionPool streamPool = pool();
        this.open = new OpenCalls(requestPool, streamPool);
        this.requests = new HttpRequests(config);
        this.maxFrameBytes = options.maxFrameBytes;
        ClientIdentity identity = new ClientIdentity();
        Timeouts timeouts = config.timeouts();
        OkHttpClient.Builder client = new OkHttpClient.Builder()
                .connectionPool(requestPool)
                .connectTimeout(timeouts.connect())
                .readTimeout(timeouts.read())
                .writeTimeout(timeouts.read())
                .callTimeout(timeouts.call())
                .pingInterval(timeouts.ping())
                .followRedirects(false)
                .followSslRedirects(false)
                .eventListenerFactory(call -> {
                    CallProgress progress = call.request().tag(CallProgress.class);
                    return progress == null ? EventListener.NONE : progress;
                });
        ProxySetup.apply(config.proxyUrl(), client);
        TlsSetup.apply(config.tls(), requests.server(), identity, client);
        this.requestClient = client.build();
        this.streamClient = requestClient
                .newBuilder()
                .connectionPool(streamPool)
                .readTimeout(0, TimeUnit.MILLISECONDS)
                .callTimeout(0, TimeUnit.MILLISECONDS)
                .build();
        this.caller = new HttpCaller(
                requests,
                open,
                Credentials.of(config, identity, open::evictIdle, options.nanoTime),
                config.qps() > 0 ? new TokenBucket(config.qps(), config.burst(), options.nanoTime) : null,
                options.pause == null ? open::await : options.pause,
                new Warnings(options.warningHandler),
                options.nanoTime);
    }

    private static ConnectionPool pool() {
        return new ConnectionPool(IDLE_CONNECTIONS, IDLE_TIME.toSeconds(), TimeUnit.SECONDS);
    }

    /**
     * Returns a transport with default options. Connects only when used.
     *
     * @throws TransportException of kind {@code CONFIGURATION} if the configuration contradicts itself, asks for what is not
     *     supported, or names a file that cannot be read
     */
    public static OkHttpTransport create(ClientConfig config) {
        return builder(config).build();
    }

    /** Returns a builder, for options that are not part of a configuration. */
    public static Builder builder(ClientConfig config) {
        return new Builder(config);
    }

    @Override
    public ApiResponse execute(ApiRequest request) {
        HttpCaller.Answer answer = caller.call(requestClient, request, false);
        return new ApiResponse(
                answer.response().code(), HeaderMaps.of(answer.response().headers()), new AnswerBody(answer));
    }

    @Override
    public ApiStream stream(ApiRequest request) {
        return new HttpApiStream(caller.call(streamClient, request, true), maxFrameBytes);
    }

    /** Ends every open stream and request, and closes the connections; safe to call twice. */
    @Override
    public void close() {
        open.close();
    }

    @Override
    public String toString() {
        return "OkHttpTransport[" + requests.server() + "]";
    }

    /** Collects options. Not thread-safe. */
    public static final class Builder {

        private final ClientConfig config;
        private long maxFrameBytes = 64L << 20;
        private Consumer<String> warningHandler = text -> log.warn("server warning: {}", text);
        private LongSupplier nanoTime = System::nanoTime;
        private @Nullable Pause pause;

        private Builder(ClientConfig config) {
            this.config = Objects.requireNonNull(config, "config");
        }

        /** Sets the largest frame that a stream accepts, in bytes; default 64 MiB. */
        public Builder maxFrameBytes(long bytes) {
            if (bytes < 1) {
                throw new IllegalArgumentException("maxFrameBytes must be positive, got " + bytes);
            }
            maxFrameBytes = bytes;
            return this;
        }

        /**
         * Sets what hears of the server's warnings ({@code Warning} headers), each text once; default is the log. Called on
         * the thread of the request that brought it.
         */
        public Builder warningHandler(Consumer<String> handler) {
            warningHandler = Objects.requireNonNull(handler, "handler");
            return this;
        }

        /** Replaces the monotonic clock, for tests. */
        Builder nanoTime(LongSupplier clock) {
            nanoTime = clock;
            return this;
        }

        /** Replaces waiting, for tests. */
        Builder pause(Pause replacement) {
            pause = replacement;
            return this;
        }

        /** Returns the transport; see {@link OkHttpTransport#create}. */
        public OkHttpTransport build() {
            return new OkHttpTransport(this);
        }
    }
}
