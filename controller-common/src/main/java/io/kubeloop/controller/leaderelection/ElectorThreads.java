package io.kubeloop.controller.leaderelection;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;

/** The threads of one candidate: named after its lock, and waited for by whoever closes it (I12). Thread-safe. */
final class ElectorThreads {

    /** What minds interrupts has ended within this; what does not must not hold up a shutdown. */
    private static final long GIVEN_UP_MILLIS = 1000;

    private final ThreadFactory factory;
    private final String prefix;
    private final Set<Thread> made = ConcurrentHashMap.newKeySet();
    private final Set<Thread> givenUp = ConcurrentHashMap.newKeySet();

    ElectorThreads(ThreadFactory factory, String lock) {
        this.factory = factory;
        this.prefix = "kubeloop-leader-election-" + lock + "-";
    }

    String name(String role) {
        return prefix + role;
    }

    Thread newThread(String role, Runnable action) {
        made.removeIf(ElectorThreads::isGone);
        givenUp.removeIf(ElectorThreads::isGone);
        Thread thread = factory.newThread(action);
        thread.setName(name(role));
        made.add(thread);
        return thread;
    }

    private static boolean isGone(Thread thread) {
        return thread.getState() == Thread.State.TERMINATED;
    }

    /** Interrupts a thread whose result nobody wants any more. */
    void giveUp(Thread thread) {
        givenUp.add(thread);
        thread.interrupt();
    }

    boolean isOneOf(Thread thread) {
        return made.contains(thread);
    }

    /** Blocks until all are gone; returns false if the deadline, by {@link System#nanoTime()}, came first. */
    boolean join(long deadline) throws InterruptedException {
        for (Thread thread : made) {
            long left = Math.max(1, TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime()));
            thread.join(givenUp.contains(thread) ? Math.min(left, GIVEN_UP_MILLIS) : left);
            if (thread.isAlive()) {
                return false;
            }
        }
        return true;
    }
}
