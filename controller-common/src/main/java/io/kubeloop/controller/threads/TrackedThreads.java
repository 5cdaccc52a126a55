package io.kubeloop.controller.threads;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;

/**
 * A thread factory that records the threads it made, so that an owner can wait until they have ended. Thread-safe.
 *
 * <p>Pools and workers report only that their threads have no work left; a thread may still run after that.
 */
public final class TrackedThreads implements ThreadFactory {

    // No lock: two concurrent sets. Any thread makes threads; the thread that closes the owner joins them.

    /** Ended threads are removed once the set is twice as large as the last removal left it, plus this number. */
    private static final int SLACK = 16;

    /** The longest wait for an interrupted thread: a thread that ignores interrupts must not delay a shutdown. */
    private static final Duration INTERRUPTED_TIMEOUT = Duration.ofSeconds(1);

    private final ThreadFactory delegate;
    private final Set<Thread> made = ConcurrentHashMap.newKeySet();
    private final Set<Thread> interrupted = ConcurrentHashMap.newKeySet();
    private volatile int left;

    /** Creates a factory that gets its threads from {@code delegate}. */
    public TrackedThreads(ThreadFactory delegate) {
        this.delegate = delegate;
    }

    @Override
    public Thread newThread(Runnable task) {
        if (made.size() > 2 * left + SLACK) {
            made.removeIf(TrackedThreads::hasEnded);
            interrupted.removeIf(TrackedThreads::hasEnded);
            left = made.size();
        }
        Thread thread = delegate.newThread(task);
        made.add(thread);
        return thread;
    }

    /** Returns a new thread of this name, not started. */
    public Thread newThread(String name, Runnable task) {
        Thread thread = newThread(task);
        thread.setName(name);
        return thread;
    }

    private static boolean hasEnded(Thread thread) {
        return thread.getState() == Thread.State.TERMINATED;
    }

    /** Interrupts a thread whose result is no longer needed; {@link #join} then waits at most a second for it. */
    public void abandon(Thread thread) {
        interrupted.add(thread);
        thread.interrupt();
    }

    /** Returns whether this factory made the thread. */
    public boolean contains(Thread thread) {
        return made.contains(thread);
    }

    /**
     * Blocks until every thread has ended, except the caller's own.
     *
     * @param timeout the longest wait; an abandoned thread gets at most one second of it
     * @return false if a thread was still alive when its time was over
     * @throws InterruptedException if the caller is interrupted while it waits
     */
    public boolean join(Duration timeout) throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.NANOSECONDS.convert(timeout);
        for (Thread thread : made) {
            if (thread != Thread.currentThread()) {
                long millis = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
                thread.join(Math.max(1, Math.min(millis, limit(thread))));
                if (thread.isAlive()) {
                    return false;
                }
            }
        }
        return true;
    }

    private long limit(Thread thread) {
        return interrupted.contains(thread) ? INTERRUPTED_TIMEOUT.toMillis() : Long.MAX_VALUE;
    }
}
