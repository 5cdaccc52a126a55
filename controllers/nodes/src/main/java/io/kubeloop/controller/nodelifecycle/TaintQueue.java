/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.nodelifecycle;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The failed nodes of a zone, in order, and the rate at which they get a {@code NoExecute} taint (upstream: {@code
 * RateLimitedTimedQueue}). Confined to the monitor's thread.
 */
final class TaintQueue {

    private static final Duration AFTER_FAILURE = Duration.ofMillis(100);

    private final Clock clock;

    private final Set<String> waiting = new LinkedHashSet<>();

    private double rate;

    /** When the next node may be tainted: a limiter with a burst of one. */
    private Instant nextTurn;

    /**
     * Creates an empty queue.
     *
     * @param rate nodes per second; 0 for none. One may go at once
     */
    TaintQueue(Clock clock, double rate) {
        this.clock = clock;
        this.rate = rate;
        nextTurn = clock.instant();
    }

    /** Sets the rate. If no node may be tainted now, the next one waits for a whole interval of the new rate. */
    void setRate(double rate) {
        if (rate != this.rate) {
            boolean mayTaint = this.rate > 0 && !clock.instant().isBefore(nextTurn);
            this.rate = rate;
            nextTurn = mayTaint || rate <= 0 ? clock.instant() : clock.instant().plus(interval());
        }
    }

    private Duration interval() {
        return Duration.ofNanos((long) (1e9 / rate));
    }

    /** Adds a node at the end, unless it waits. */
    void add(String node) {
        waiting.add(node);
    }

    /** Removes a node. */
    void remove(String node) {
        waiting.remove(node);
    }

    /** Returns the time until the next node's turn; null if none waits, or if the rate is 0. */
    @Nullable
    Duration untilNextTurn() {
        if (rate <= 0 || waiting.isEmpty()) {
            return null;
        }
        Duration wait = Duration.between(clock.instant(), nextTurn);
        return wait.isNegative() || wait.isZero() ? AFTER_FAILURE : wait;
    }

    /**
     * Passes waiting nodes to an action until the rate is exhausted or the action fails.
     *
     * @param action returns whether it is done with the node; if not, the node is tried again by the next call
     */
    void process(Predicate<String> action) {
        Iterator<String> nodes = waiting.iterator();
        while (nodes.hasNext() && takeTurn() && action.test(nodes.next())) {
            nodes.remove();
        }
    }

    private boolean takeTurn() {
        Instant now = clock.instant();
        if (rate <= 0 || now.isBefore(nextTurn)) {
            return false;
        }
        nextTurn = now.plus(interval());
        return true;
    }
}
