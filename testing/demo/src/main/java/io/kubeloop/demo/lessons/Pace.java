/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.demo.lessons;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.kubeloop.controlplane.SimulatedClock;
import io.kubeloop.demo.live.LiveFeed;
import io.kubeloop.demo.live.Passage;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The speed of a demo: of its clock, and of its threads at each stage of the pipeline. Only threads of observed parts
 * wait; the API server and the kubelet do not.
 */
final class Pace implements LiveFeed.Gate {

    /*
     * speed is written under the lock and read without it. The clock's lock is taken under it.
     * Threads: those of informers, queues and workers wait; those of viewers set the speed.
     */

    /** The speeds that a viewer can choose. */
    enum Speed {
        /** Real time. */
        REAL(1, 0),
        /** A tenth of real time, and every passage takes long enough to be seen. */
        SLOW(0.1, 300),
        /** The clock stands still, and every passage waits for a step. */
        PAUSED(0, Long.MAX_VALUE),
        /** The clock stands still, so nothing happens that waits for a time. */
        FROZEN(0, 0),
        /** Six times real time: the controllers still have the time that their work needs. */
        FAST(6, 0);

        private final double clock;
        private final long waitMillis;

        Speed(double clock, long waitMillis) {
            this.clock = clock;
            this.waitMillis = waitMillis;
        }
    }

    private final SimulatedClock clock;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private volatile Speed speed = Speed.REAL;

    @GuardedBy("lock")
    private int steps;

    Pace(SimulatedClock clock) {
        this.clock = clock;
    }

    Speed speed() {
        return speed;
    }

    void set(Speed chosen) {
        lock.lock();
        try {
            speed = chosen;
            steps = 0;
            clock.setPace(chosen.clock);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    void set(String name) {
        set(Speed.valueOf(name.toUpperCase(Locale.ROOT)));
    }

    /** Lets one passage continue that waits, or the next one. */
    void step() {
        lock.lock();
        try {
            steps++;
            changed.signal();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void await(Passage passage) {
        Speed now = speed;
        if (now.waitMillis > 0 && isVisible(passage)) {
            await(now);
        }
    }

    /** Caches of metadata repeat what the others show. A handler's return is no step of its own. */
    private static boolean isVisible(Passage passage) {
        return !passage.lane().endsWith("(metadata)") && !passage.kind().equals("returned");
    }

    private void await(Speed chosen) {
        lock.lock();
        try {
            long left = TimeUnit.MILLISECONDS.toNanos(chosen.waitMillis);
            while (speed == chosen && left > 0) {
                if (chosen == Speed.PAUSED && steps > 0) {
                    steps--;
                    return;
                }
                left = changed.awaitNanos(left);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // the loop is being closed
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void left() {
        set(Speed.REAL);
    }
}
