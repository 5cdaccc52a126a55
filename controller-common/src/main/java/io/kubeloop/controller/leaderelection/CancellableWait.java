package io.kubeloop.controller.leaderelection;

import io.kubeloop.workqueue.AlarmClock;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/** How the elector's thread waits: until a moment, until something is done, or until it is cancelled. Thread-safe. */
final class CancellableWait {

    // Invariant: whoever waits has counted the wakes before it looked, and waits only for one more; so none is missed
    // between looking and waiting.
    // One lock, held for counting and waiting alone: the clock and its alarm, which may be the user's and may ask the
    // user for a thread, and the conditions that the elector waits for are asked without it (I13). wake runs on the
    // alarm's thread, on those of attempts and on that of the guarded work; cancel on any.

    private final AlarmClock clock;
    private final AlarmClock.Alarm alarm;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition woken = lock.newCondition();

    /** Guarded by lock. */
    private long wakes;

    private volatile boolean cancelled;

    CancellableWait(AlarmClock clock, String name) {
        this.clock = clock;
        this.alarm = clock.newAlarm(name, this::wake);
    }

    /** Waits until the moment has come; returns false if cancelled before. */
    boolean awaitUntil(long deadline) {
        awaitDone(deadline, this::isCancelled);
        return !isCancelled();
    }

    /**
     * Waits until it is done, or the moment has come; returns whether it is done. Whoever makes it done calls {@link
     * #wake}.
     */
    boolean awaitDone(long deadline, BooleanSupplier done) {
        while (true) {
            long before = wakes();
            // Each time, because an earlier setting may have rung in between, and only one is kept.
            alarm.ringAt(deadline);
            if (done.getAsBoolean() || clock.nanoTime() - deadline >= 0) {
                return done.getAsBoolean();
            }
            awaitWakeAfter(before);
        }
    }

    private long wakes() {
        lock.lock();
        try {
            return wakes;
        } finally {
            lock.unlock();
        }
    }

    private void awaitWakeAfter(long before) {
        lock.lock();
        try {
            while (wakes == before) {
                woken.awaitUninterruptibly();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Makes the one who waits look again. */
    void wake() {
        lock.lock();
        try {
            wakes++;
            woken.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Ends the current wait for a moment, and all later ones. */
    void cancel() {
        cancelled = true;
        wake();
    }

    boolean isCancelled() {
        return cancelled;
    }

    /** Frees the alarm. */
    void close() {
        alarm.close();
    }
}
