/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.cache.reflector;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.kubeloop.runtime.Scheduler;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Triggers a resync each time the period has passed while a watch is open. The reflector thread starts and stops it; it
 * fires on the timer thread.
 */
public final class ResyncTimer {

    /** Receives the resyncs. */
    public interface Target {

        /** Returns the period; zero for never. */
        Duration period();

        /** Starts a resync if one is due for a handler. */
        void resyncIfDue();
    }

    /*
     * Each time the timer is set is a turn of its own, and at most one turn is current. A timer may fire late. Its
     * timeout may also be returned late: it may have fired by then and set the next one. In both cases its turn is
     * over, and it has no effect. Scheduler and target are called without the lock.
     */

    private static final int NONE = 0;

    private final Scheduler scheduler;
    private final Target target;

    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private int turns;

    @GuardedBy("lock")
    private int current = NONE;

    @GuardedBy("lock")
    private Scheduler.Task timeout = () -> {};

    public ResyncTimer(Scheduler scheduler, Target target) {
        this.scheduler = scheduler;
        this.target = target;
    }

    void start() {
        int first;
        lock.lock();
        try {
            first = ++turns;
            current = first;
        } finally {
            lock.unlock();
        }
        arm(first);
    }

    void stop() {
        Scheduler.Task waiting;
        lock.lock();
        try {
            current = NONE;
            waiting = timeout;
        } finally {
            lock.unlock();
        }
        waiting.cancel();
    }

    private void arm(int turn) {
        Duration period = target.period();
        if (period.isZero()) {
            return;
        }
        Scheduler.Task armed = scheduler.schedule(period, () -> fire(turn));
        if (!keep(turn, armed)) {
            armed.cancel();
        }
    }

    private boolean keep(int turn, Scheduler.Task armed) {
        lock.lock();
        try {
            if (current == turn) {
                timeout = armed;
                return true;
            }
            return false;
        } finally {
            lock.unlock();
        }
    }

    private void fire(int turn) {
        int next = turnAfter(turn);
        if (next == NONE) {
            return;
        }
        try {
            target.resyncIfDue();
        } finally {
            arm(next); // also after a resync that failed, for example for lack of memory
        }
    }

    /** Ends a turn and starts another. Returns the new turn, or NONE if the given turn was over. */
    private int turnAfter(int turn) {
        lock.lock();
        try {
            if (current != turn) {
                return NONE;
            }
            current = ++turns;
            return current;
        } finally {
            lock.unlock();
        }
    }
}
