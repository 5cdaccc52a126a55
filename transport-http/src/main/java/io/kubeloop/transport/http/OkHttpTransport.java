/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.transport.http;

import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.api.client.ApiResponse;
import io.kubeloop.api.client.ApiStream;
import io.kubeloop.api.client.LimitedBody;
import io.kubeloop.api.client.Transport;
import io.kubeloop.api.client.TransportException;
import io.kubeloop.runtime.Scheduler;
import io.kubeloop.transport.http.call.CallOptions;
import io.kubeloop.transport.http.call.HttpCaller;
import io.kubeloop.transport.http.call.OpenCalls;
import java.security.Provider;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A transport over HTTP/1.1 and HTTP/2, on OkHttp. Thread-safe.
 *
 * <p><b>Blocking.</b> Every call runs on its caller's thread and blocks until the headers of the response have arrived.
 * Reading a body or {@link ApiStream#next()} blocks until bytes arrive. {@link Timeouts} and the deadline of the
 * request limit these waits. A call also waits for the client-side rate limit, for a {@code Retry-After} of up to a
 * minute, and for an exec plugin ({@link Builder#execTimeout}).
 *
 * <p>An interrupt ends every one of these waits with a {@link TransportException} of kind {@code CLOSED}; the thread
 * stays interrupted. {@link #close()} ends the calls of all threads as {@code CLOSED}, and open streams regularly:
 * {@code next()} returns null. Neither ends a DNS lookup, which lasts as long as the resolver of the platform allows.
 *
 * <p><b>Connections.</b> Requests and streams use separate connections, so a flood of events cannot delay a write.
 * The number of open streams never limits requests. Redirects are not followed.
 *
 * <p><b>Retries.</b> The transport repeats a request
 *
 * <ul>
 *   <li>after 429 and 5xx with {@code Retry-After}, up to 10 times;
 *   <li>after 401 or a TLS failure, once, if credentials or certificates have changed;
 *   <li>after a broken connection, once, if it is a GET;
 *   <li>after the server reports that it did not process the request, up to 6 times.
 * </ul>
 *
 * <p>After {@link #close()} no connection is left. OkHttp's housekeeping thread remains: all clients of the JVM share
 * it, it is a daemon, and it ends after a minute of idleness.
 */
public final class OkHttpTransport implements Transport {

    private static final Logger LOG = LoggerFactory.getLogger(OkHttpTransport.class);

    private final HttpCaller caller;
    private final long maxFrameBytes;
    private final long maxResponseBytes;

    /** The clocks and pauses of this transport alone. Its thread starts with the first pause. */
    private final @Nullable Scheduler ownScheduler;

    private OkHttpTransport(Builder options) {
        Scheduler given = options.scheduler;
        Scheduler scheduler = given == null ? Scheduler.system(OkHttpTransport::timer) : given;
        ownScheduler = given == null ? scheduler : null;
        this.caller = HttpCaller.of(
                options.config,
                new OpenCalls(),
                new CallOptions(
                        options.environment,
                        options.execTimeout,
                        options.tlsProvider,
                        options.mayWrite,
                        options.warningHandler,
                        options.metrics,
                        scheduler));
        this.maxFrameBytes = options.maxFrameBytes;
        this.maxResponseBytes = options.maxResponseBytes;
    }

    private static Thread timer(Runnable task) {
        Thread thread = new Thread(task);
        thread.setDaemon(true);
        return thread;
    }

    /**
     * Returns a transport with default options. The first request connects.
     *
     * @throws TransportException of kind {@code CONFIGURATION} if the configuration contradicts itself, requires what
     *     is not supported, or names a file that cannot be read
     */
    public static OkHttpTransport create(ClientConfig config) {
        return builder(config).build();
    }

    /** Returns a builder for options that are not part of a configuration. */
    public static Builder builder(ClientConfig config) {
        return new Builder(config);
    }

    /**
     * {@inheritDoc}
     *
     * <p>For time limits and interrupts, see the class comment. The body is limited by {@link
     * Builder#maxResponseBytes}.
     */
    @Override
    public ApiResponse execute(ApiRequest request) {
        return caller.execute(request, maxResponseBytes);
    }

    /**
     * {@inheritDoc}
     *
     * <p>A stream without a deadline stays open until the server or a caller ends it, or the connection fails; see
     * {@link Timeouts}.
     */
    @Override
    public ApiStream stream(ApiRequest request) {
        return caller.stream(request, maxFrameBytes);
    }

    /**
     * Ends every open stream, request and exec plugin, and closes the connections. Does not block and does not wait for
     * the threads of the calls. May be called twice and from any thread.
     */
    @Override
    public void close() {
        caller.close();
        if (ownScheduler != null) {
            ownScheduler.close();
        }
    }

    @Override
    public String toString() {
        return "OkHttpTransport[" + caller.server() + "]";
    }

    /** The options of a transport. Not thread-safe. */
    public static final class Builder {

        private final ClientConfig config;
        private long maxFrameBytes = 64L << 20;
        private long maxResponseBytes = LimitedBody.USUAL_LIMIT;
        private Duration execTimeout = Duration.ofMinutes(2);
        private @Nullable Provider tlsProvider;
        private Map<String, String> environment = System.getenv();
        private Consumer<String> warningHandler = text -> LOG.warn("server warning: {}", text);
        private BooleanSupplier mayWrite = () -> true;
        private RequestMetricsProvider metrics = RequestMetricsProvider.NONE;
        private @Nullable Scheduler scheduler;

        private Builder(ClientConfig config) {
            this.config = Objects.requireNonNull(config, "config");
        }

        /** Sets the largest frame that a stream accepts, in bytes; at least 1. Default: 64 MiB. */
        public Builder maxFrameBytes(long bytes) {
            if (bytes < 1) {
                throw new IllegalArgumentException("maxFrameBytes must be positive, got " + bytes);
            }
            maxFrameBytes = bytes;
            return this;
        }

        /**
         * Sets the largest body of a response that is not a stream, in bytes after decompression; at least 1. Default:
         * 1 GiB. The limit protects against malicious compressed responses. Programs that list page by page can set it
         * much lower.
         */
        public Builder maxResponseBytes(long bytes) {
            if (bytes < 1) {
                throw new IllegalArgumentException("maxResponseBytes must be positive, got " + bytes);
            }
            maxResponseBytes = bytes;
            return this;
        }

        /**
         * Sets the longest run of an exec plugin; must be positive. Default: 2 min, enough for a login in a browser.
         * Requests that need the credential block meanwhile. A plugin that runs longer is killed.
         */
        public Builder execTimeout(Duration limit) {
            if (limit.isNegative() || limit.isZero()) {
                throw new IllegalArgumentException("execTimeout must be positive, got " + limit);
            }
            execTimeout = limit;
            return this;
        }

        /**
         * Sets the TLS implementation. Default: the JVM's. A native provider such as Conscrypt reduces the cost of TLS.
         *
         * <p>The provider does not change trust, protocol versions or host name verification. A client whose key is
         * neither RSA nor EC always uses the JVM's implementation.
         *
         * @param provider offers an {@code SSLContext} named {@code TLS}; need not be registered
         */
        public Builder tlsProvider(Provider provider) {
            tlsProvider = Objects.requireNonNull(provider, "provider");
            return this;
        }

        /**
         * Sets the handler of the server's warnings ({@code Warning} headers). It receives each text once, on the
         * thread of the request. Default: the log. Its exceptions are logged.
         */
        public Builder warningHandler(Consumer<String> handler) {
            warningHandler = Objects.requireNonNull(handler, "handler");
            return this;
        }

        /**
         * Sets the check whether requests other than GET may be sent. Default: always.
         *
         * <p>The check runs for each attempt on the thread of the request, after every wait and directly before
         * sending. {@code false} ends the call with a {@link TransportException} of kind {@code CLOSED}, and nothing
         * was sent.
         *
         * @param answer the check, such as whether this process is the leader; must not block
         */
        public Builder mayWrite(BooleanSupplier answer) {
            mayWrite = Objects.requireNonNull(answer, "answer");
            return this;
        }

        /**
         * Sets the metrics of requests. Default: {@link RequestMetricsProvider#NONE}. {@link #build} registers them
         * once.
         */
        public Builder metrics(RequestMetricsProvider provider) {
            metrics = Objects.requireNonNull(provider, "provider");
            return this;
        }

        /** Replaces the environment of the process, which may name a proxy. */
        Builder environment(Map<String, String> variables) {
            environment = variables;
            return this;
        }

        /** Replaces clocks and pauses, for tests. */
        Builder scheduler(Scheduler replacement) {
            scheduler = replacement;
            return this;
        }

        /** Returns the transport; see {@link OkHttpTransport#create}. */
        public OkHttpTransport build() {
            return new OkHttpTransport(this);
        }
    }
}
