package io.kubeloop.workqueue;

import java.time.Duration;
import java.util.Objects;

/**
 * How an item is added to a {@link PriorityWorkQueue} (upstream: controller-runtime's {@code priorityqueue.AddOpts}).
 * Immutable.
 *
 * @param after the item is added after this delay; zero or negative means that no delay was asked for. Default zero
 * @param rateLimited whether the queue's rate limiter is asked for a delay. If a delay was asked for too, the shorter one
 *     counts. Default false
 * @param priority higher comes out first. Default 0
 */
public record AddOptions(Duration after, boolean rateLimited, int priority) {

    /** At once, with priority 0. */
    public static final AddOptions DEFAULT = new AddOptions(Duration.ZERO, false, 0);

    /** Checks that there is a delay. */
    public AddOptions {
        Objects.requireNonNull(after, "after");
    }

    /** Returns options with a priority. */
    public static AddOptions ofPriority(int priority) {
        return new AddOptions(Duration.ZERO, false, priority);
    }

    /** Returns a copy with another delay. */
    public AddOptions withAfter(Duration delay) {
        return new AddOptions(delay, rateLimited, priority);
    }

    /** Returns a copy that asks the rate limiter, or does not. */
    public AddOptions withRateLimited(boolean limited) {
        return new AddOptions(after, limited, priority);
    }

    /** Returns a copy with another priority. */
    public AddOptions withPriority(int other) {
        return new AddOptions(after, rateLimited, other);
    }
}
