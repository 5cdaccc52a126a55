/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.workqueue;

import java.time.Duration;
import java.util.Objects;

/**
 * How an item is added to a {@link PriorityWorkQueue} (upstream: controller-runtime's {@code priorityqueue.AddOpts}).
 * Immutable.
 *
 * @param after the delay of the add; zero or negative means no delay. Default zero
 * @param rateLimited whether the queue's rate limiter chooses the delay. If {@code after} is positive too, the shorter
 *     delay counts. Default false
 * @param priority the priority of the item; higher comes out first. Default 0
 */
public record AddOptions(Duration after, boolean rateLimited, int priority) {

    /** No delay, priority 0. */
    public static final AddOptions DEFAULT = new AddOptions(Duration.ZERO, false, 0);

    /** Checks that the delay is not null. */
    public AddOptions {
        Objects.requireNonNull(after, "after");
    }

    /** Returns options without a delay, with the given priority. */
    public static AddOptions ofPriority(int priority) {
        return new AddOptions(Duration.ZERO, false, priority);
    }

    /** Returns a copy with the given delay. */
    public AddOptions withAfter(Duration delay) {
        return new AddOptions(delay, rateLimited, priority);
    }

    /** Returns a copy that uses the rate limiter, or does not. */
    public AddOptions withRateLimited(boolean limited) {
        return new AddOptions(after, limited, priority);
    }

    /** Returns a copy with the given priority. */
    public AddOptions withPriority(int other) {
        return new AddOptions(after, rateLimited, other);
    }
}
