package io.kubeloop.transport.memory.http.wire;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** The threads of a HTTP front end; knows them until they are gone (I12). Thread-safe. */
public final class HttpThreads {

    private static final String PREFIX = "kubeloop-http-";

    private final ThreadFactory factory;
    private final AtomicInteger count = new AtomicInteger();
    private final Set<Thread> alive = ConcurrentHashMap.newKeySet();

    /** Makes threads that are virtual where the JVM has virtual threads, else daemons. */
    public HttpThreads() {
        this(virtualOrDaemon());
    }

    HttpThreads(ThreadFactory factory) {
        this.factory = factory;
    }

    /** Starts a thread that tells by its name what it is for. Throws what the JVM throws where it has none left. */
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

    /** Blocks until all threads are gone, the caller's own excepted; returns false if that took too long. */
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

    /** Returns one that is not gone yet; looked up again each time, as the accepting thread may have started another. */
    private @Nullable Thread another() {
        for (Thread thread : alive) {
            if (thread != Thread.currentThread() && thread.getState() != Thread.State.TERMINATED) {
                return thread;
            }
        }
        return null;
    }

    /** Reflection, because this is compiled for Java 17. */
    private static ThreadFactory virtualOrDaemon() {
        try {
            Class<?> builder = Class.forName("java.lang.Thread$Builder");
            return (ThreadFactory) builder.getMethod("factory")
                    .invoke(Thread.class.getMethod("ofVirtual").invoke(null));
        } catch (ReflectiveOperationException | UnsupportedOperationException e) {
            // Before Java 21 there are none, and platform threads do as well.
            return task -> {
                Thread thread = new Thread(task);
                thread.setDaemon(true);
                return thread;
            };
        }
    }
}
