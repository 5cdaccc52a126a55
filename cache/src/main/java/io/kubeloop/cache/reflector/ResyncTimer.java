package io.kubeloop.cache.reflector;

import io.kubeloop.cache.Timers;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Lets the queue show the stored objects again, each time the period has passed while a watch is under way (RE-70). Started
 * and stopped by the reflector thread; fires on the timer thread.
 */
public final class ResyncTimer {

    /** What is asked and done when the period has passed. */
    public interface Target {

        /** Returns the period; zero for never. */
        Duration period();

        /** Shows the objects again, if anybody wants that now. */
        void resyncIfDue();
    }

    /*
     * Each time that the timer is armed is a turn of its own, and one turn at most is current: a timer that fires late, or is
     * handed back late (it may have fired by then, and armed the next), finds that its turn is over. lock guards turns,
     * current and timeout; timers and target are called without it.
     */

    private static final int NONE = 0;

    private final Timers timers;
    private final Target target;

    private final ReentrantLock lock = new ReentrantLock();
    private int turns;
    private int current = NONE;
    private Timers.Timeout timeout = () -> {};

    public ResyncTimer(Timers timers, Target target) {
        this.timers = timers;
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
        Timers.Timeout waiting;
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
        Timers.Timeout armed = timers.schedule(period, () -> fire(turn));
        if (!keep(turn, armed)) {
            armed.cancel();
        }
    }

    private boolean keep(int turn, Timers.Timeout armed) {
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
            arm(next); // one resync that fails, for want of memory, is not the last
        }
    }

    /** Ends a turn and begins another; returns it, or none if the turn is over already. */
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
