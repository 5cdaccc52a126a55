package io.kubeloop.cache.runtime;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The threads of one informer: knows them by name, and waits for their end (I12). Thread-safe.
 *
 * <p>Whoever closes waits, except a thread of the same family (the informers of one factory): two handlers that close their
 * factory at the same moment would wait for each other for ever.
 */
public final class OwnedThreads {

    private static final Logger log = LoggerFactory.getLogger(OwnedThreads.class);

    /** From here on `synchronized` does not pin a virtual thread to its carrier (JEP 491). */
    private static final int FIRST_JDK_WITHOUT_PINNING = 24;

    private final ThreadFactory factory;
    private final Set<Thread> family;
    private final List<Thread> own = new CopyOnWriteArrayList<>();

    public OwnedThreads(ThreadFactory factory, Set<Thread> family) {
        this.factory = factory;
        this.family = family;
    }

    /** Returns a set for a family of informers. */
    public static Set<Thread> newFamily() {
        return ConcurrentHashMap.newKeySet();
    }

    /**
     * Returns the default: virtual threads where a reader that blocks inside a library's lock cannot starve the others,
     * that is on JDK 24 and later; else daemon threads.
     */
    public static ThreadFactory defaultFactory() {
        if (Runtime.version().feature() >= FIRST_JDK_WITHOUT_PINNING) {
            try {
                // Reflection, as this is compiled for Java 17; reachability-metadata.json tells native images of it.
                Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
                Class<?> type = Class.forName("java.lang.Thread$Builder");
                return (ThreadFactory) type.getMethod("factory").invoke(builder);
            } catch (ReflectiveOperationException e) {
                // An image that was made without them, say: no reason to do without informers.
                log.debug("no virtual threads here", e);
            }
        }
        return body -> {
            Thread thread = new Thread(body);
            thread.setDaemon(true);
            return thread;
        };
    }

    /** Returns a thread for {@link #start}. Calls the factory, which is user code: not to be called under a lock. */
    public Thread prepare(String name, Runnable body) {
        Thread thread = factory.newThread(new Once(body));
        thread.setName(name);
        return thread;
    }

    /**
     * Returns a thread that another class starts, such as an executor. {@link #await} waits for its end, if it was started.
     * Calls the factory, which is user code: callers must not hold a lock.
     */
    Thread adopt(String name, Runnable body) {
        Thread thread = prepare(name, body);
        family.add(thread);
        own.add(thread);
        return thread;
    }

    /** Starts a prepared thread, and forgets those that have ended. */
    public void start(Thread prepared) {
        own.removeIf(thread -> !thread.isAlive());
        family.removeIf(thread -> thread.getState() == Thread.State.TERMINATED);
        family.add(prepared);
        try {
            prepared.start();
        } catch (Throwable e) {
            family.remove(prepared); // out of memory, say: one that never runs is of no family
            throw e;
        }
        own.add(prepared);
    }

    /**
     * A body that is let go when it ends. From JDK 19 on a dead thread keeps its task, and this class keeps a dead thread
     * until the next one starts: without this, a removed handler and all it refers to would stay reachable that long.
     */
    private static final class Once implements Runnable {

        /** Written by who prepares, before the start; then by the thread alone. */
        private @Nullable Runnable body;

        Once(Runnable body) {
            this.body = body;
        }

        @Override
        public void run() {
            Runnable running = Objects.requireNonNull(body, "a thread runs its body once");
            body = null;
            running.run();
        }
    }

    /** Returns whether none of the threads runs any more. */
    public boolean haveEnded() {
        return own.stream().noneMatch(Thread::isAlive);
    }

    /** Waits for the threads to end, unless called from one of the family. Logs those that do not end in time. */
    public void await(Duration atMost) {
        if (family.contains(Thread.currentThread())) {
            return;
        }
        long deadline = System.nanoTime() + Durations.nanos(atMost);
        for (Thread thread : own) {
            try {
                thread.join(Math.max(1, (deadline - System.nanoTime()) / 1_000_000));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
            if (thread.isAlive()) {
                log.warn("{} has not ended within {}; it is left behind", thread.getName(), atMost);
            }
        }
    }
}
