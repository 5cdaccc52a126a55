package io.kubeloop.runtime;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadFactory;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The threads of one informer: starts them, and waits until they have ended. Thread-safe.
 *
 * <p>Informers of one factory form a family. A thread of the family never waits in {@link #await}: two handlers that
 * close their factory at the same time would otherwise wait for each other indefinitely.
 */
public final class OwnedThreads {

    /** The first JDK on which {@code synchronized} does not pin a virtual thread to its carrier (JEP 491). */
    private static final int FIRST_JDK_WITHOUT_PINNING = 24;

    private final ThreadFactory factory;
    private final Set<Thread> family;
    private final List<Thread> own = new CopyOnWriteArrayList<>();

    /**
     * Creates an empty set of threads.
     *
     * @param factory makes the threads
     * @param family the threads of all owners of the family, from {@link #newFamily}
     */
    public OwnedThreads(ThreadFactory factory, Set<Thread> family) {
        this.factory = factory;
        this.family = family;
    }

    /** Returns an empty set for the threads of a family. */
    public static Set<Thread> newFamily() {
        return ConcurrentHashMap.newKeySet();
    }

    /**
     * Returns the default factory. It makes virtual threads on JDK 24 and later. On older JDKs a reader that blocks
     * inside a library's monitor would occupy a carrier thread, so it makes daemon threads there.
     */
    public static ThreadFactory defaultFactory() {
        if (Runtime.version().feature() >= FIRST_JDK_WITHOUT_PINNING) {
            try {
                // Reflection, because this is compiled for Java 17. reachability-metadata.json declares it for native
                // images.
                Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
                Class<?> type = Class.forName("java.lang.Thread$Builder");
                return (ThreadFactory) type.getMethod("factory").invoke(builder);
            } catch (ReflectiveOperationException e) {
                // Possible in a native image without that metadata. Daemon threads serve as well.
            }
        }
        return daemons();
    }

    /** Returns a factory of daemon threads. */
    static ThreadFactory daemons() {
        return body -> {
            Thread thread = new Thread(body);
            thread.setDaemon(true);
            return thread;
        };
    }

    /** Waits for the end of a thread until this time of {@link System#nanoTime}. An interrupt ends the wait, and stays set. */
    static void joinUninterrupted(Thread thread, long deadline) {
        try {
            thread.join(Math.max(1, (deadline - System.nanoTime()) / 1_000_000));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Returns a thread for {@link #start}. Calls the factory, which is user code: callers must not hold a lock. */
    public Thread prepare(String name, Runnable body) {
        Thread thread = factory.newThread(new Once(body));
        thread.setName(name);
        return thread;
    }

    /** Returns a thread for {@link #startBusy}, as {@link #prepare} does. The scheduler counts its end. */
    public Thread prepareBusy(Scheduler scheduler, String name, Runnable body) {
        return prepare(name, () -> {
            try {
                body.run();
            } finally {
                scheduler.workEnds();
            }
        });
    }

    /** Starts a prepared thread, and drops the threads that have ended. */
    public void start(Thread prepared) {
        own.removeIf(thread -> !thread.isAlive());
        family.removeIf(thread -> thread.getState() == Thread.State.TERMINATED);
        family.add(prepared);
        try {
            prepared.start();
        } catch (Throwable e) {
            family.remove(prepared); // the thread never runs, for example for lack of memory
            throw e;
        }
        own.add(prepared);
    }

    /** Starts a thread of {@link #prepareBusy} as {@link #start} does. The scheduler counts it as busy from now on. */
    public void startBusy(Scheduler scheduler, Thread prepared) {
        scheduler.workBegins();
        boolean running = false;
        try {
            start(prepared);
            running = true;
        } finally {
            if (!running) {
                scheduler.workEnds();
            }
        }
    }

    /**
     * A task that releases its body when it ends. From JDK 19 on, a dead thread keeps its task, and this class keeps a
     * dead thread until the next start. Without this class a removed handler would stay reachable until then.
     */
    private static final class Once implements Runnable {

        /** Written by the thread that prepares, before the start; then by the running thread alone. */
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

    /** Returns whether all threads have ended. */
    public boolean haveEnded() {
        return own.stream().noneMatch(Thread::isAlive);
    }

    /**
     * Blocks until the threads have ended, for at most this time. The time is real time, even if timers are simulated.
     * Returns at once on a thread of the family. An interrupt ends the wait, and the flag stays set.
     *
     * @param leftBehind receives each thread that has not ended in time
     */
    public void await(Duration atMost, Consumer<Thread> leftBehind) {
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
                leftBehind.accept(thread);
            }
        }
    }
}
