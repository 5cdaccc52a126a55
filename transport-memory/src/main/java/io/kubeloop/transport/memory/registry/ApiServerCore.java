package io.kubeloop.transport.memory.registry;

import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.transport.memory.machinery.ResourceStore;
import io.kubeloop.transport.memory.service.ServiceNetwork;
import io.kubeloop.transport.memory.storage.Storage;
import io.kubeloop.transport.memory.storage.ThreadTimer;
import io.kubeloop.transport.memory.storage.Timer;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The server's parts, put together: storage, handler, timer, collector. Thread-safe.
 */
public final class ApiServerCore implements AutoCloseable {

    /** They exist from the beginning, as in every cluster. */
    private static final List<String> SYSTEM_NAMESPACES =
            List.of("default", "kube-system", "kube-public", "kube-node-lease");

    private static final AtomicInteger SERVERS = new AtomicInteger();

    private final String threadPrefix = "kubeloop-apiserver-" + SERVERS.incrementAndGet() + "-";
    private final Storage storage;
    private final Timer timer;
    private final ApiHandler handler;
    private final @Nullable CollectorLoop collector;

    /** Starts a server; see {@code EmbeddedApiServer.Builder} for the parameters. */
    public ApiServerCore(
            Clock clock,
            ThreadFactory threads,
            RandomGenerator random,
            int eventLogCapacity,
            long firstVersion,
            Duration bookmarkInterval,
            boolean garbageCollector,
            ServiceNetwork network) {
        storage = new Storage(eventLogCapacity, firstVersion);
        timer = new ThreadTimer(task -> named(threads, task, "timer"));
        ApiBackend backend =
                new ApiBackend(storage, ResourceRegistry.builtIn(), clock, timer, bookmarkInterval, random, network);
        handler = new ApiHandler(backend);
        ObjectCreator creator = new ObjectCreator(backend);
        for (String namespace : SYSTEM_NAMESPACES) {
            JsonObject object = JsonObject.EMPTY.with("metadata", JsonObject.EMPTY.with("name", namespace));
            ResourceStore namespaces = backend.namespaces();
            creator.create(
                    namespaces,
                    "",
                    IncomingObject.normalize(namespaces.resource().type(), object),
                    false);
        }
        collector = garbageCollector ? new CollectorLoop(backend, task -> named(threads, task, "collector")) : null;
        if (collector != null) {
            collector.start();
        }
    }

    private Thread named(ThreadFactory threads, Runnable task, String role) {
        Thread thread = threads.newThread(task);
        thread.setName(threadPrefix + role);
        return thread;
    }

    /** Returns the door for requests. */
    public ApiHandler handler() {
        return handler;
    }

    /** Returns the timer that streams may use. */
    public Timer timer() {
        return timer;
    }

    /** Forgets all history up to now. */
    public void compact() {
        storage.compact();
    }

    @Override
    public void close() {
        if (collector != null) {
            collector.close();
        }
        timer.close();
    }
}
