package io.kubeloop.transport.jdk;

import java.net.http.HttpClient;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The threads of one transport: two that carry what has arrived, and the client's own, which waits at the sockets.
 *
 * <p>Before Java 21 a client cannot be closed: its thread ends some time after nobody refers to it any more, or when it is
 * interrupted. It is known by its group, which it inherits from the thread that makes the client, and that is one of ours.
 */
final class JdkThreads implements AutoCloseable {

    private static final AtomicInteger TRANSPORTS = new AtomicInteger();
    private static final long JOIN_MILLIS = 100;

    private final ThreadGroup group = new ThreadGroup("kubeloop-jdk-transport-" + TRANSPORTS.incrementAndGet());
    private final AtomicInteger count = new AtomicInteger();
    private final ExecutorService pool = Executors.newFixedThreadPool(2, this::newThread);

    private Thread newThread(Runnable task) {
        Thread thread = new Thread(group, task, group.getName() + "-" + count.incrementAndGet());
        thread.setDaemon(true);
        return thread;
    }

    /** Makes a client whose threads are these. */
    HttpClient build(HttpClient.Builder builder) {
        return CompletableFuture.supplyAsync(builder.executor(pool)::build, pool)
                .join();
    }

    /** Ends all threads and waits until they are gone; an interrupt ends the waiting. */
    @Override
    public void close() {
        pool.shutdownNow();
        Thread[] alive = new Thread[16];
        try {
            while (group.enumerate(alive) > 0) {
                group.interrupt();
                alive[0].join(JOIN_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
