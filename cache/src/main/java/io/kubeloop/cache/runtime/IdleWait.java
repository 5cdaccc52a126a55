package io.kubeloop.cache.runtime;

import io.kubeloop.cache.Timers;
import java.util.concurrent.locks.Condition;
import org.jspecify.annotations.Nullable;

/**
 * A condition on which one thread waits for work. The timers count this thread as idle from its wait until the signal, so that
 * work never disappears between the thread that signals and the thread that wakes up.
 *
 * <p>Callers must hold the lock of the condition.
 */
public final class IdleWait {

    // Guarded by the lock of the condition. True from the wait until the signal, also over spurious wake-ups.
    private boolean idle;

    private final Condition condition;
    private final @Nullable Timers timers;

    /**
     * Wraps a condition.
     *
     * @param timers counts the busy threads; null for no count
     */
    public IdleWait(Condition condition, @Nullable Timers timers) {
        this.condition = condition;
        this.timers = timers;
    }

    /** Waits for a signal, or returns spuriously. An interrupt has no effect. */
    @SuppressWarnings("WaitNotInLoop") // the caller loops
    public void awaitUninterruptibly() {
        if (!idle) {
            idle = true;
            if (timers != null) {
                timers.workEnds();
            }
        }
        condition.awaitUninterruptibly();
    }

    /** Wakes the thread if it waits. */
    public void signal() {
        countAsBusy();
        condition.signal();
    }

    /** Wakes all threads that wait, for the end of the work. */
    public void signalAll() {
        countAsBusy();
        condition.signalAll();
    }

    private void countAsBusy() {
        if (idle) {
            idle = false;
            if (timers != null) {
                timers.workBegins();
            }
        }
    }
}
