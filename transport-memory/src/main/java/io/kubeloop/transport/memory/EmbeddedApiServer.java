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
 * An API server in this process: it stores objects, gives them versions, and lets clients watch them change.
 *
 * <pre>{@code
 * try (EmbeddedApiServer server = EmbeddedApiServer.builder().build()) {
 *     KubeClient client = KubeClient.of(server.transport(), codec);
 *     ...
 * }
 * }</pre>
 *
 * <p>Thread-safe. Requests run on the threads of their callers; the server has at most two threads of its own, one for
 * timers and one for the garbage collector. Both are gone when {@link #close} has returned, and no request that is still
 * running is left waiting.
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

    /** Returns a builder with defaults that suit a demonstration as well as a test. */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * Returns the way to the server. It is the same one at each call; closing it ends its streams, and the server goes on.
     */
    public Transport transport() {
        return transport;
    }

    /**
     * Forgets all history up to now, as etcd does every few minutes: watches and pages that begin before are told that
     * they have expired.
     */
    public void compact() {
        storage.compact();
    }

    /** Ends all streams and the server's threads. Blocks until they are gone; safe to call twice. */
    @Override
    public void close() {
        transport.close();
        if (collector != null) {
            collector.close();
        }
        timer.close();
    }

    /** Collects settings. Not thread-safe. */
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

        /** Sets where the time of {@code creationTimestamp} and the like comes from. Default: the system. */
        public Builder clock(Clock clock) {
            this.clock = clock;
            return this;
        }

        /** Sets where threads come from; the server names them. Default: daemon threads. */
        public Builder threadFactory(ThreadFactory threadFactory) {
            this.threadFactory = threadFactory;
            return this;
        }

        /** Sets where generated names and UIDs come from; must be thread-safe. Default: {@link Random}. */
        public Builder random(RandomGenerator random) {
            this.random = random;
            return this;
        }

        /**
         * Sets how many events of each kind are kept for watches to catch up with, at least 1. Default: 8192. A watch that
         * falls behind further has expired.
         */
        public Builder eventLogCapacity(int events) {
            if (events < 1) {
                throw new IllegalArgumentException("eventLogCapacity must be at least 1, got " + events);
            }
            this.eventLogCapacity = events;
            return this;
        }

        /**
         * Sets the resource version to begin with, at least 1. Default: 1. A server that takes the place of another one
         * begins beyond that one's: then watches of the former expire, where they would wait for a future that is long past.
         */
        public Builder firstVersion(long version) {
            if (version < 1) {
                throw new IllegalArgumentException("firstVersion must be at least 1, got " + version);
            }
            this.firstVersion = version;
            return this;
        }

        /** Sets how often a watch that has asked for bookmarks gets one. Default: 1 minute. */
        public Builder bookmarkInterval(Duration interval) {
            if (interval.isZero() || interval.isNegative()) {
                throw new IllegalArgumentException("bookmarkInterval must be positive, got " + interval);
            }
            this.bookmarkInterval = interval;
            return this;
        }

        /**
         * Sets whether dependents of deleted owners are collected, and the content of deleted namespaces removed. Default:
         * true.
         */
        public Builder garbageCollector(boolean on) {
            this.garbageCollector = on;
            return this;
        }

        /**
         * Sets the ranges that services get their addresses from: one, or two of different families, such as {@code
         * 10.96.0.0/16} and {@code fd00:10:96::/112}. Services are of the first one's family unless they ask for the other, or
         * for both. Default: 10.96.0.0/16 alone.
         *
         * @throws IllegalArgumentException if these are no such ranges, saying why
         */
        public Builder serviceClusterIpRanges(String... ranges) {
            this.serviceNetwork = ServiceNetwork.of(List.of(ranges));
            return this;
        }

        /** Returns a running server. */
        public EmbeddedApiServer build() {
            return new EmbeddedApiServer(this);
        }
    }
}
