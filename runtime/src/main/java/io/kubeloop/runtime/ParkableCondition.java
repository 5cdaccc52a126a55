/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.runtime;

import java.util.concurrent.locks.Condition;
import org.jspecify.annotations.Nullable;

/**
 * A condition on which one thread waits for work. The scheduler counts this thread as idle from its wait until the
 * signal, so that the count never reaches zero between the signal and the wake-up.
 *
 * <p>Callers must hold the lock of the condition.
 */
public final class ParkableCondition {

    // Guarded by the lock of the condition. True from the wait until the signal, also over spurious wake-ups.
    private boolean idle;

    private final Condition condition;
    private final @Nullable Scheduler scheduler;

    /**
     * Wraps a condition.
     *
     * @param scheduler counts the busy threads; null for no count
     */
    public ParkableCondition(Condition condition, @Nullable Scheduler scheduler) {
        this.condition = condition;
        this.scheduler = scheduler;
    }

    /** Waits for a signal, or returns spuriously. An interrupt has no effect. */
    @SuppressWarnings("WaitNotInLoop") // the caller loops
    public void awaitUninterruptibly() {
        if (!idle) {
            idle = true;
            if (scheduler != null) {
                scheduler.workEnds();
            }
        }
        condition.awaitUninterruptibly();
    }

    /** Wakes the thread if it waits. */
    public void signal() {
        countAsBusy();
        condition.signal();
    }

    /** Wakes all threads that wait, because no more work will come. */
    public void signalAll() {
        countAsBusy();
        condition.signalAll();
    }

    private void countAsBusy() {
        if (idle) {
            idle = false;
            if (scheduler != null) {
                scheduler.workBegins();
            }
        }
    }
}
