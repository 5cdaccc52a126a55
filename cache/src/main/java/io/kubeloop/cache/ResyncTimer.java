package io.kubeloop.cache;

import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Lets the queue show the stored objects again, each time the period has passed while a watch is under way (RE-70). Started
 * and stopped by the reflector thread; fires on the timer thread.
 */
final class ResyncTimer {

    /** What is asked and done when the period has passed. */
    interface Target {

        /** Returns the period; zero for never. */
        Duration period();

        /** Shows the objects again, if anybody wants that now. */
        void resyncIfDue();
    }

    /*
     * Each watch phase is a run of its own: a timer that fires late finds that its run is over, and ends. lock guards run and
     * timeout; timers and target are called without it.
     */

    private static final int NONE = 0;

    private final Timers timers;
    private final Target target;

    private final ReentrantLock lock = new ReentrantLock();
    private int runs;
    private int run = NONE;
    private Timers.Timeout timeout = () -> {};

    ResyncTimer(Timers timers, Target target) {
        this.timers = timers;
        this.target = target;
    }

    void start() {
        int started;
        lock.lock();
        try {
            started = ++runs;
            run = started;
        } finally {
            lock.unlock();
        }
        arm(started);
    }

    void stop() {
        Timers.Timeout waiting;
        lock.lock();
        try {
            run = NONE;
            waiting = timeout;
        } finally {
            lock.unlock();
        }
        waiting.cancel();
    }

    private void arm(int armed) {
        Duration period = target.period();
        if (period.isZero()) {
            return;
        }
        Timers.Timeout next = timers.schedule(period, () -> fire(armed));
        if (!keep(armed, next)) {
            next.cancel();
        }
    }

    private boolean keep(int armed, Timers.Timeout next) {
        lock.lock();
        try {
            if (run == armed) {
                timeout = next;
                return true;
            }
            return false;
        } finally {
            lock.unlock();
        }
    }

    private boolean isOver(int fired) {
        lock.lock();
        try {
            return run != fired;
        } finally {
            lock.unlock();
        }
    }

    private void fire(int fired) {
        if (isOver(fired)) {
            return;
        }
        target.resyncIfDue();
        arm(fired);
    }
}
