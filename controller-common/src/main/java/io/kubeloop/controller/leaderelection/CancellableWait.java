package io.kubeloop.controller.leaderelection;

import io.kubeloop.workqueue.AlarmClock;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/** How the elector's thread waits: until a moment, until something is done, or until it is cancelled. Thread-safe. */
final class CancellableWait {

    // One lock; under it run only the clock, the alarm (which takes its own lock inside) and the conditions that the
    // elector waits for. wake runs on the alarm's thread,
    // on those of attempts and on that of the guarded work; cancel on any.

    private final AlarmClock clock;
    private final AlarmClock.Alarm alarm;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition woken = lock.newCondition();

    /** Guarded by lock. */
    private boolean cancelled;

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
        alarm.ringAt(deadline);
        lock.lock();
        try {
            while (!done.getAsBoolean() && clock.nanoTime() - deadline < 0) {
                // Again, because an earlier setting may have rung in between, and only one is kept.
                alarm.ringAt(deadline);
                woken.awaitUninterruptibly();
            }
            return done.getAsBoolean();
        } finally {
            lock.unlock();
        }
    }

    /** Makes the one who waits look again. */
    void wake() {
        lock.lock();
        try {
            woken.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Ends the current wait for a moment, and all later ones. */
    void cancel() {
        lock.lock();
        try {
            cancelled = true;
            woken.signalAll();
        } finally {
            lock.unlock();
        }
    }

    boolean isCancelled() {
        lock.lock();
        try {
            return cancelled;
        } finally {
            lock.unlock();
        }
    }

    /** Frees the alarm. */
    void close() {
        alarm.close();
    }
}
