package io.kubeloop.transport.memory;

import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.api.client.Transport;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.transport.memory.collector.CollectorLoop;
import io.kubeloop.transport.memory.registry.ApiBackend;
import io.kubeloop.transport.memory.registry.ApiHandler;
import io.kubeloop.transport.memory.registry.ResourceRegistry;
import io.kubeloop.transport.memory.registry.ServerResponse;
import io.kubeloop.transport.memory.service.ServiceNetwork;
import io.kubeloop.transport.memory.storage.Storage;
import io.kubeloop.transport.memory.storage.ThreadTimer;
import io.kubeloop.transport.memory.storage.Timer;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * An API server inside this process: it stores objects, assigns resource versions, and serves watches.
 *
 * <pre>{@code
 * try (EmbeddedApiServer server = EmbeddedApiServer.builder().build()) {
 *     KubeClient client = KubeClient.of(server.transport(), JsonCodec.standard());
 *     ...
 * }
 * }</pre>
 *
 * <p>Thread-safe. A request runs on the thread of its caller. The server has at most two threads of its own: one
 * for timers and one for the collector, which garbage-collects dependents, empties deleted namespaces and
 * recalculates quotas.
 *
 * <p>Two methods of the server and its transport block. {@link #close} waits for the server's threads. A read from
 * a watch stream waits for the next frame; see {@link #transport()}.
 */
public final class EmbeddedApiServer implements AutoCloseable {

    /** The namespaces that every cluster has from its start. */
    private static final List<String> SYSTEM_NAMESPACES =
            List.of("default", "kube-system", "kube-public", "kube-node-lease");

    private static final AtomicInteger SERVERS = new AtomicInteger();

    private final Storage storage;
    private final Timer timer;
    private final InProcessTransport transport;
    private final @Nullable CollectorLoop collector;

    private EmbeddedApiServer(Builder builder) {
        String threadPrefix = "kubeloop-apiserver-" + SERVERS.incrementAndGet() + "-";
        storage = new Storage(builder.eventLogCapacity, builder.firstVersion);
        timer = new ThreadTimer(named(builder.threadFactory, threadPrefix + "timer"));
        ApiBackend backend = new ApiBackend(
                storage,
                ResourceRegistry.builtIn(),
                builder.clock,
                timer,
                builder.bookmarkInterval,
                builder.random,
                builder.serviceNetwork);
        ApiHandler handler = new ApiHandler(backend);
        SYSTEM_NAMESPACES.forEach(namespace -> createNamespace(handler, namespace));
        transport = new InProcessTransport(handler, timer);
        collector = builder.garbageCollector
                ? new CollectorLoop(backend, named(builder.threadFactory, threadPrefix + "collector"))
                : null;
        if (collector != null) {
            collector.start();
        }
    }

    private static ThreadFactory named(ThreadFactory threads, String name) {
        return task -> {
            Thread thread = threads.newThread(task);
            thread.setName(name);
            return thread;
        };
    }

    private static void createNamespace(ApiHandler handler, String name) {
        JsonObject namespace = JsonObject.of("metadata", JsonObject.EMPTY.with("name", name));
        ServerResponse response = handler.handle(
                ApiRequest.of("POST", "/api/v1/namespaces", Map.of(), ApiRequest.Body.json(namespace.toBytes())));
        if (!(response instanceof ServerResponse.Document document) || document.code() != 201) {
            throw new IllegalStateException("cannot create the namespace " + name + ": " + response);
        }
    }

    /** Returns a builder with defaults for a demonstration or a test. */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * Returns the transport to this server; the same instance at each call. Closing the transport ends its streams
     * and leaves the server running.
     *
     * <p>Requests are not limited by a timeout and complete without I/O. A read from a watch stream blocks until a
     * frame arrives or the watch ends. The watch ends when its stream or transport is closed, at its own timeout,
     * or at the deadline of its request. An interrupt ends a blocked read with a {@code TransportException} of kind
     * {@code CLOSED}, and the interrupt flag stays set.
     */
    public Transport transport() {
        return transport;
    }

    /**
     * Discards the event history up to the current resource version, as etcd does every few minutes. A watch or a
     * list page that starts at an earlier version then fails with 410 (Expired).
     */
    public void compact() {
        storage.compact();
    }

    /**
     * Ends all streams and stops the server's threads; safe to call twice. Blocks until both threads have ended:
     * the collector finishes its current round, and a timer task that has started runs to its end. There is no
     * timeout, because neither thread waits for a client. An interrupt ends the wait: the method returns with the
     * interrupt flag set, and the threads end on their own.
     */
    @Override
    public void close() {
        transport.close();
        if (collector != null) {
            collector.close();
        }
        timer.close();
    }

    /** Settings of an {@link EmbeddedApiServer}. Not thread-safe. */
    public static final class Builder {

        private Clock clock = Clock.systemUTC();
        private ThreadFactory threadFactory = daemons();
        private RandomGenerator random = new Random();
        private int eventLogCapacity = 8192;
        private long firstVersion = 1;
        private Duration bookmarkInterval = Duration.ofMinutes(1);
        private boolean garbageCollector = true;
        private ServiceNetwork serviceNetwork = ServiceNetwork.DEFAULT;

        private Builder() {}

        private static ThreadFactory daemons() {
            return task -> {
                Thread thread = new Thread(task);
                thread.setDaemon(true);
                return thread;
            };
        }

        /**
         * Sets the clock for {@code creationTimestamp} and the other times that the server writes. Default: the
         * system clock.
         */
        public Builder clock(Clock clock) {
            this.clock = clock;
            return this;
        }

        /** Sets the factory of the server's threads; the server sets their names. Default: daemon threads. */
        public Builder threadFactory(ThreadFactory threadFactory) {
            this.threadFactory = threadFactory;
            return this;
        }

        /** Sets the source of generated names and UIDs, which must be thread-safe. Default: {@link Random}. */
        public Builder random(RandomGenerator random) {
            this.random = random;
            return this;
        }

        /**
         * Sets how many events of each kind the server keeps for watches, at least 1. Default: 8192. A watch that
         * falls further behind fails with 410 (Expired).
         */
        public Builder eventLogCapacity(int events) {
            if (events < 1) {
                throw new IllegalArgumentException("eventLogCapacity must be at least 1, got " + events);
            }
            this.eventLogCapacity = events;
            return this;
        }

        /**
         * Sets the first resource version, at least 1. Default: 1. A server that replaces another one must start
         * above the versions of the old server. Watches from the old server then fail with 410 (Expired); otherwise
         * they would wait for a version that their objects have already passed.
         */
        public Builder firstVersion(long version) {
            if (version < 1) {
                throw new IllegalArgumentException("firstVersion must be at least 1, got " + version);
            }
            this.firstVersion = version;
            return this;
        }

        /** Sets the interval of bookmarks for watches that requested bookmarks; positive. Default: 1 minute. */
        public Builder bookmarkInterval(Duration interval) {
            if (interval.isZero() || interval.isNegative()) {
                throw new IllegalArgumentException("bookmarkInterval must be positive, got " + interval);
            }
            this.bookmarkInterval = interval;
            return this;
        }

        /**
         * Sets whether the collector runs. It deletes dependents of deleted owners, deletes the content of
         * terminating namespaces, and recalculates quota usage. Default: true.
         */
        public Builder garbageCollector(boolean on) {
            this.garbageCollector = on;
            return this;
        }

        /**
         * Sets the ranges of service cluster IPs: one range, or two ranges of different IP families, such as {@code
         * 10.96.0.0/16} and {@code fd00:10:96::/112}. Services use the family of the first range unless they
         * request the other family or both. Default: {@code 10.96.0.0/16}.
         *
         * @throws IllegalArgumentException if a range is invalid or the combination is not allowed; the message
         *     names the problem
         */
        public Builder serviceClusterIpRanges(String... ranges) {
            this.serviceNetwork = ServiceNetwork.of(List.of(ranges));
            return this;
        }

        /** Starts a server and returns it. */
        public EmbeddedApiServer build() {
            return new EmbeddedApiServer(this);
        }
    }
}
