package io.kubeloop.transport.http;

import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.api.client.ApiResponse;
import io.kubeloop.api.client.ApiStream;
import io.kubeloop.api.client.Transport;
import io.kubeloop.api.client.TransportException;
import io.kubeloop.transport.http.call.CallOptions;
import io.kubeloop.transport.http.call.HttpCaller;
import io.kubeloop.transport.http.call.OpenCalls;
import io.kubeloop.transport.http.pacing.CallTime;
import java.security.Provider;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A transport over HTTP/1.1 and HTTP/2, on OkHttp.
 *
 * <p>Every call blocks its caller, on the caller's thread; no request waits for another one, however many streams are open.
 * Requests, and streams as well, have connections of their own, so that a flood of events cannot hold up a write. Redirects
 * are not followed. What is asked for again by itself: 429 and 5xx with {@code Retry-After} (up to 10 times), 401 if there is
 * another credential by now (once), a GET whose connection broke (once), and anything that the server has refused untouched
 * (up to 6 times).
 *
 * <p>An interrupt ends a call that blocks, and the reading of its answer, with a {@link TransportException} of kind
 * {@code CLOSED}; the thread stays interrupted. So does {@link #close()}, for all calls.
 *
 * <p>Thread-safe. After {@link #close()} there is no connection left; OkHttp's own housekeeping thread, which all clients of
 * a JVM share, is a daemon and ends when it has been idle for a minute.
 */
public final class OkHttpTransport implements Transport {

    private static final Logger log = LoggerFactory.getLogger(OkHttpTransport.class);

    private final HttpCaller caller;
    private final long maxFrameBytes;
    private final long maxResponseBytes;

    private OkHttpTransport(Builder options) {
        OpenCalls open = new OpenCalls();
        CallTime.Pause pause = options.pause == null ? open::await : options.pause;
        this.caller = HttpCaller.of(
                options.config,
                open,
                new CallOptions(
                        options.environment,
                        options.execTimeout,
                        options.tlsProvider,
                        options.mayWrite,
                        options.warningHandler,
                        options.metrics,
                        new CallTime(options.nanoTime, Clock.systemUTC(), pause)));
        this.maxFrameBytes = options.maxFrameBytes;
        this.maxResponseBytes = options.maxResponseBytes;
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
        return caller.execute(request, maxResponseBytes);
    }

    @Override
    public ApiStream stream(ApiRequest request) {
        return caller.stream(request, maxFrameBytes);
    }

    /** Ends every open stream, request and exec plugin, and closes the connections; safe to call twice. */
    @Override
    public void close() {
        caller.close();
    }

    @Override
    public String toString() {
        return "OkHttpTransport[" + caller.server() + "]";
    }

    /** Collects options. Not thread-safe. */
    public static final class Builder {

        private final ClientConfig config;
        private long maxFrameBytes = 64L << 20;
        private long maxResponseBytes = 1L << 30;
        private Duration execTimeout = Duration.ofMinutes(2);
        private @Nullable Provider tlsProvider;
        private Map<String, String> environment = System.getenv();
        private Consumer<String> warningHandler = text -> log.warn("server warning: {}", text);
        private BooleanSupplier mayWrite = () -> true;
        private RequestMetricsProvider metrics = RequestMetricsProvider.NONE;
        private LongSupplier nanoTime = System::nanoTime;
        private CallTime.@Nullable Pause pause;

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
         * Sets the largest body of an answer that is not a stream, in bytes after unpacking; default 1 GiB. It bounds what an
         * answer packed by malice can unfold to; whoever lists page by page may set it much lower.
         */
        public Builder maxResponseBytes(long bytes) {
            if (bytes < 1) {
                throw new IllegalArgumentException("maxResponseBytes must be positive, got " + bytes);
            }
            maxResponseBytes = bytes;
            return this;
        }

        /**
         * Sets how long an exec plugin may take; default 2 min, which lets a person find the browser window. Requests wait for
         * it meanwhile; a plugin that takes longer is killed.
         */
        public Builder execTimeout(Duration limit) {
            if (limit.isNegative() || limit.isZero()) {
                throw new IllegalArgumentException("execTimeout must be positive, got " + limit);
            }
            execTimeout = limit;
            return this;
        }

        /**
         * Sets who speaks TLS with the API server; default is the JVM. Meant for providers in machine code, such as Conscrypt,
         * where the JVM's TLS costs too much. Whom to trust, which versions to speak and whether the name is right stays what
         * the configuration and the JVM's trust manager say; a client whose key is neither RSA nor EC stays with the JVM.
         *
         * @param provider has an {@code SSLContext} named {@code TLS}; need not be registered
         */
        public Builder tlsProvider(Provider provider) {
            tlsProvider = Objects.requireNonNull(provider, "provider");
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

        /**
         * Sets what says whether anything but a GET may be sent; default is yes. It is asked for each attempt, on the thread of
         * the request, when there is nothing left to wait for: turn, patience, credential and connection are there. A no ends
         * the call with a {@link TransportException} of kind {@code CLOSED}, and nothing of it was sent.
         *
         * @param answer must not block; such as whether this process still leads
         */
        public Builder mayWrite(BooleanSupplier answer) {
            mayWrite = Objects.requireNonNull(answer, "answer");
            return this;
        }

        /** Sets who measures requests; default is {@link RequestMetricsProvider#NONE}. Asked once, by {@link #build}. */
        public Builder metrics(RequestMetricsProvider provider) {
            metrics = Objects.requireNonNull(provider, "provider");
            return this;
        }

        /** Replaces the process's environment, where proxies are looked for. */
        Builder environment(Map<String, String> variables) {
            environment = variables;
            return this;
        }

        /** Replaces the monotonic clock, for tests. */
        Builder nanoTime(LongSupplier clock) {
            nanoTime = clock;
            return this;
        }

        /** Replaces waiting, for tests. */
        Builder pause(CallTime.Pause replacement) {
            pause = replacement;
            return this;
        }

        /** Returns the transport; see {@link OkHttpTransport#create}. */
        public OkHttpTransport build() {
            return new OkHttpTransport(this);
        }
    }
}
