/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.cache.reflector;

import io.kubeloop.runtime.Durations;
import io.kubeloop.runtime.Scheduler;
import java.time.Duration;

/**
 * Limits the time during which internal errors on a watch lead to another watch instead of a list (upstream: {@code
 * retryWithDeadline}). The budget starts with the first error, and starts again after a minute without errors. Once
 * used up, it rejects one error and starts again. Confined to the reflector thread.
 */
final class InternalErrorBudget {

    static final Duration FORGET = Duration.ofMinutes(1);

    private final Scheduler scheduler;
    private final Duration budget;
    private boolean running;
    private long first;
    private long last;

    /** A budget of zero rejects every error. */
    InternalErrorBudget(Scheduler scheduler, Duration budget) {
        this.scheduler = scheduler;
        this.budget = budget;
    }

    /** Records an error. Returns whether another watch may follow it. */
    boolean allows() {
        if (budget.isZero()) {
            return false;
        }
        long now = scheduler.nanoTime();
        if (!running || now - last >= FORGET.toNanos()) {
            running = true;
            first = now;
        }
        last = now;
        running = now - first <= Durations.nanos(budget);
        return running;
    }
}
