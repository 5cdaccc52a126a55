/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.transport.jdk;

import java.net.http.HttpClient;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The threads of one transport: two that process received bytes, and the selector thread of the client. Thread-safe.
 *
 * <p>Before Java 21 a client cannot be closed. Its selector thread ends some time after the last reference to the
 * client, or when it is interrupted. This class finds that thread by its thread group, which it inherits from the
 * thread that makes the client.
 *
 * <p>It is not {@code OwnedThreads} of the module {@code runtime}, because that class can wait only for threads that it
 * has made: the client makes the selector thread by itself. This module therefore also keeps to the JDK and the object
 * model.
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

    /** Makes a client that uses these threads. */
    HttpClient build(HttpClient.Builder builder) {
        return CompletableFuture.supplyAsync(builder.executor(pool)::build, pool)
                .join();
    }

    /** Interrupts all threads and blocks until they have ended. An interrupt of the caller ends the wait. */
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
