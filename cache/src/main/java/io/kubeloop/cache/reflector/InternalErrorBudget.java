package io.kubeloop.cache.reflector;

import io.kubeloop.cache.Timers;
import io.kubeloop.cache.runtime.Durations;
import java.time.Duration;

/**
 * For how long internal errors on a watch cost another watch and no list (upstream: {@code retryWithDeadline}, RE-45): from
 * the first error on until the budget has passed; a minute without any begins anew. Used up, it refuses once and begins anew.
 * Confined to the reflector thread.
 */
final class InternalErrorBudget {

    static final Duration FORGET = Duration.ofMinutes(1);

    private final Timers timers;
    private final Duration budget;
    private boolean running;
    private long first;
    private long last;

    /** A budget of zero never allows anything. */
    InternalErrorBudget(Timers timers, Duration budget) {
        this.timers = timers;
        this.budget = budget;
    }

    /** Notes an error; returns whether another watch may follow it. */
    boolean allows() {
        if (budget.isZero()) {
            return false;
        }
        long now = timers.nanoTime();
        if (!running || now - last >= FORGET.toNanos()) {
            running = true;
            first = now;
        }
        last = now;
        running = now - first <= Durations.nanos(budget);
        return running;
    }
}
