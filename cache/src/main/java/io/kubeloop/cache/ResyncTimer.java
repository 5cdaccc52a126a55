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

    /* lock guards running and timeout; the target is called without it. */

    private final Timers timers;
    private final Target target;

    private final ReentrantLock lock = new ReentrantLock();
    private boolean running;
    private Timers.Timeout timeout = () -> {};

    ResyncTimer(Timers timers, Target target) {
        this.timers = timers;
        this.target = target;
    }

    void start() {
        lock.lock();
        try {
            running = true;
        } finally {
            lock.unlock();
        }
        arm();
    }

    void stop() {
        lock.lock();
        try {
            running = false;
            timeout.cancel();
        } finally {
            lock.unlock();
        }
    }

    private void arm() {
        Duration period = target.period();
        if (period.isZero()) {
            return;
        }
        lock.lock();
        try {
            if (running) {
                timeout = timers.schedule(period, this::fire);
            }
        } finally {
            lock.unlock();
        }
    }

    private void fire() {
        target.resyncIfDue();
        arm();
    }
}
