package io.kubeloop.controller;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;

/**
 * Knows the threads it has made, so that they can be waited for until they are gone (I12); pools and workers only say that
 * their threads have nothing left to do. Thread-safe.
 */
final class TrackedThreads implements ThreadFactory {

    /** Threads that have ended are looked for when there are twice as many as the last search has left, and this. */
    private static final int SLACK = 16;

    private final Set<Thread> made = ConcurrentHashMap.newKeySet();
    private final ThreadFactory delegate;
    private volatile int left;

    TrackedThreads(ThreadFactory delegate) {
        this.delegate = delegate;
    }

    @Override
    public Thread newThread(Runnable task) {
        if (made.size() > 2 * left + SLACK) {
            made.removeIf(thread -> thread.getState() == Thread.State.TERMINATED);
            left = made.size();
        }
        Thread thread = delegate.newThread(task);
        made.add(thread);
        return thread;
    }

    /** Blocks until all threads are gone, the caller's own excepted; returns false if the time ran out. */
    boolean join(Duration timeout) throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.NANOSECONDS.convert(timeout);
        for (Thread thread : made) {
            if (thread != Thread.currentThread()) {
                long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
                thread.join(Math.max(1, left));
                if (thread.isAlive()) {
                    return false;
                }
            }
        }
        return true;
    }
}
