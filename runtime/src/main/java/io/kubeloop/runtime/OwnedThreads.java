/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.runtime;

import java.time.Duration;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The threads of one owner, such as an informer, an executor or a server: makes them, and waits until they have ended.
 * Thread-safe.
 *
 * <p>Pools report only that their threads have no work left; a thread may still run after that. A pool therefore takes
 * this class as its thread factory.
 *
 * <p>Owners can form a family, such as the informers of one factory. A thread of the family never waits in {@link
 * #await}: two handlers that close their factory at the same time would otherwise wait for each other indefinitely. In
 * an owner without a family, a thread of the owner waits for the others.
 *
 * <p>A test kit may override {@link #prepare} and {@link #start(Thread)}, to count the threads that run; see {@link
 * Scheduler#newThreads}.
 */
public class OwnedThreads implements ThreadFactory {

    /*
     * Invariants
     *   T1  A running thread of the owner is in `own`, from before its start. So await finds every thread that a thread
     *   of
     * the owner starts meanwhile: it looks again until none is alive.
     *   T2  A thread that could not be started is not alive, so nothing waits for it.
     * No lock: concurrent sets. Any thread makes and starts threads; the thread that closes the owner awaits them.
     */

    /** Ended threads are removed once the set is twice as large as the last removal left it, plus this number. */
    private static final int SLACK = 16;

    /** The longest wait for an abandoned thread: a thread that ignores interrupts must not delay a shutdown. */
    private static final long ABANDONED_MILLIS = 1000;

    /** The first JDK on which {@code synchronized} does not pin a virtual thread to its carrier (JEP 491). */
    private static final int FIRST_JDK_WITHOUT_PINNING = 24;

    private final ThreadFactory factory;
    private final @Nullable Set<Thread> family;
    private final Set<Thread> own = ConcurrentHashMap.newKeySet();
    private final Set<Thread> abandoned = ConcurrentHashMap.newKeySet();
    private final AtomicInteger count = new AtomicInteger();
    private volatile int remaining;

    /** Creates an empty set of threads of an owner without a family; the factory makes the threads. */
    public OwnedThreads(ThreadFactory factory) {
        this.factory = factory;
        this.family = null;
    }

    /**
     * Creates an empty set of threads of an owner in a family.
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
        return Runtime.version().feature() >= FIRST_JDK_WITHOUT_PINNING ? virtualOrDaemon() : daemons();
    }

    /**
     * Returns a factory of virtual threads, or of daemon threads if the JVM has no virtual ones. For threads that do
     * not block inside a library's monitor.
     */
    public static ThreadFactory virtualOrDaemon() {
        try {
            // Reflection, because this is compiled for Java 17. reachability-metadata.json declares it for native
            // images.
            Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
            Class<?> type = Class.forName("java.lang.Thread$Builder");
            return (ThreadFactory) type.getMethod("factory").invoke(builder);
        } catch (ReflectiveOperationException e) {
            // An older JDK, or a native image without that metadata. Daemon threads serve as well.
            return daemons();
        }
    }

    /** Returns a factory of daemon threads. */
    static ThreadFactory daemons() {
        return body -> {
            Thread thread = new Thread(body);
            thread.setDaemon(true);
            return thread;
        };
    }

    /**
     * Waits for the end of a thread until this time of {@link System#nanoTime}. An interrupt ends the wait, and stays
     * set.
     */
    static void joinUninterrupted(Thread thread, long deadline) {
        try {
            thread.join(Math.max(1, (deadline - System.nanoTime()) / 1_000_000));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Returns a thread of this owner, for an executor that names and starts it. */
    @Override
    public Thread newThread(Runnable body) {
        Thread thread = factory.newThread(new Once(body));
        add(thread);
        return thread;
    }

    private void add(Thread thread) {
        if (own.size() > 2 * remaining + SLACK) {
            own.removeIf(OwnedThreads::hasEnded);
            abandoned.removeIf(OwnedThreads::hasEnded);
            remaining = own.size();
        }
        if (family != null) {
            family.removeIf(OwnedThreads::hasEnded);
            family.add(thread);
        }
        own.add(thread);
    }

    private static boolean hasEnded(Thread thread) {
        return thread.getState() == Thread.State.TERMINATED;
    }

    /**
     * Returns a thread for {@link #start(Thread)}. Calls the factory, which is user code: callers must not hold a lock.
     */
    public Thread prepare(String name, Runnable body) {
        Thread thread = factory.newThread(new Once(body));
        thread.setName(name);
        return thread;
    }

    /**
     * Starts a thread that has the name and a number of its own. Propagates the JVM's error if no thread can be
     * created.
     */
    public void start(String name, Runnable body) {
        start(prepare(name + "-" + count.incrementAndGet(), body));
    }

    /** Starts a prepared thread. Propagates the JVM's error if it cannot be started. */
    public void start(Thread prepared) {
        add(prepared);
        try {
            prepared.start();
        } catch (Throwable e) {
            own.remove(prepared); // the thread never runs, for example for lack of memory
            if (family != null) {
                family.remove(prepared);
            }
            throw e;
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

    /** Interrupts a thread whose result is no longer needed; {@link #await} then waits at most a second for it. */
    public void abandon(Thread thread) {
        abandoned.add(thread);
        thread.interrupt();
    }

    /** Returns whether the thread is one of this owner. */
    public boolean contains(Thread thread) {
        return own.contains(thread);
    }

    /** Blocks until the threads have ended; see {@link #await(Duration, Consumer)}. */
    public boolean await(Duration atMost) {
        return await(atMost, thread -> {});
    }

    /**
     * Blocks until the threads have ended, except the caller's own, for at most this time. The time is real time, even
     * if timers are simulated. Returns at once on a thread of the family. An interrupt ends the wait, and the flag
     * stays set.
     *
     * @param leftBehind receives each thread that has not ended in time
     * @return false if a thread was still alive when its time was over, if the caller was interrupted, or on a thread
     *     of the family
     */
    public boolean await(Duration atMost, Consumer<Thread> leftBehind) {
        Thread caller = Thread.currentThread();
        if (family != null && family.contains(caller)) {
            return false;
        }
        long deadline = System.nanoTime() + Durations.nanos(atMost);
        Set<Thread> late = new HashSet<>();
        try {
            boolean waited = true;
            while (waited) {
                waited = false;
                for (Thread thread : own) {
                    if (thread != caller && thread.isAlive() && !late.contains(thread)) {
                        waited = true;
                        long left = (deadline - System.nanoTime()) / 1_000_000;
                        thread.join(Math.max(1, abandoned.contains(thread) ? Math.min(left, ABANDONED_MILLIS) : left));
                        if (thread.isAlive()) {
                            late.add(thread);
                            leftBehind.accept(thread);
                        }
                    }
                }
            }
            return late.isEmpty();
        } catch (InterruptedException e) {
            caller.interrupt();
            return false;
        }
    }
}
