package io.kubeloop.apiserver.http.wire;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Starts the threads of an HTTP front end, and tracks each until it has ended, so that close can wait for it.
 * Thread-safe.
 */
public final class HttpThreads {

    // T1  A thread is in alive from before its start until another thread of this set ends after it. A thread that
    //     could not be started is removed at once. Therefore join() finds every thread that runs.
    //
    // No locks. Any thread calls start and join.

    private static final String PREFIX = "kubeloop-http-";

    private final ThreadFactory factory;
    private final AtomicInteger count = new AtomicInteger();
    private final Set<Thread> alive = ConcurrentHashMap.newKeySet();

    /** Uses virtual threads if the JVM has them, otherwise daemon threads. */
    public HttpThreads() {
        this(virtualOrDaemon());
    }

    HttpThreads(ThreadFactory factory) {
        this.factory = factory;
    }

    /** Starts a thread whose name contains its role. Propagates the JVM's error if no thread can be created. */
    public void start(String role, Runnable task) {
        Thread thread = factory.newThread(() -> {
            try {
                task.run();
            } finally {
                alive.removeIf(other -> other.getState() == Thread.State.TERMINATED);
            }
        });
        thread.setName(PREFIX + role + "-" + count.incrementAndGet());
        alive.add(thread);
        boolean started = false;
        try {
            thread.start();
            started = true;
        } finally {
            if (!started) {
                alive.remove(thread);
            }
        }
    }

    /**
     * Blocks until all threads except the caller's have ended; returns false after the timeout or an interrupt,
     * which leaves the interrupt flag set.
     */
    public boolean join(Duration timeout) {
        long deadline = System.nanoTime() + timeout.toNanos();
        try {
            Thread thread = another();
            while (thread != null && System.nanoTime() - deadline < 0) {
                thread.join(Math.max(1, (deadline - System.nanoTime()) / 1_000_000));
                thread = another();
            }
            return thread == null;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /**
     * Returns a thread that has not ended; searched again each time, because the accepting thread may have started
     * another.
     */
    private @Nullable Thread another() {
        for (Thread thread : alive) {
            if (thread != Thread.currentThread() && thread.getState() != Thread.State.TERMINATED) {
                return thread;
            }
        }
        return null;
    }

    /** Uses reflection, because this module is compiled for Java 17. */
    private static ThreadFactory virtualOrDaemon() {
        try {
            Class<?> builder = Class.forName("java.lang.Thread$Builder");
            return (ThreadFactory) builder.getMethod("factory")
                    .invoke(Thread.class.getMethod("ofVirtual").invoke(null));
        } catch (ReflectiveOperationException | UnsupportedOperationException e) {
            // Java 17 has no virtual threads; platform threads are sufficient.
            return task -> {
                Thread thread = new Thread(task);
                thread.setDaemon(true);
                return thread;
            };
        }
    }
}
