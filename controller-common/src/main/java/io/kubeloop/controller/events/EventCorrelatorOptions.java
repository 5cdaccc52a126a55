/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.events;

import java.time.Duration;

/**
 * The settings of an event broadcaster: how much events are condensed (upstream: {@code CorrelatorOptions}).
 *
 * @param cacheSize the number of groups, of events and of objects that are remembered; default 4096
 * @param spamBurst the number of events of one type that an object may have at once; default 25
 * @param spamRefill the time after which an object may have one more event; default 5 min
 * @param aggregateFrom the number of distinct messages at which similar events are combined into one; default 10
 * @param aggregateWithin the time without a similar event after which a group is forgotten; default 10 min
 */
public record EventCorrelatorOptions(
        int cacheSize, int spamBurst, Duration spamRefill, int aggregateFrom, Duration aggregateWithin) {

    /** The defaults. */
    public static final EventCorrelatorOptions DEFAULT =
            new EventCorrelatorOptions(4096, 25, Duration.ofMinutes(5), 10, Duration.ofMinutes(10));

    /** Checks that sizes and times are positive. */
    public EventCorrelatorOptions {
        if (cacheSize < 1 || spamBurst < 1 || aggregateFrom < 1) {
            throw new IllegalArgumentException("cacheSize, spamBurst and aggregateFrom must be at least 1, got "
                    + cacheSize + ", " + spamBurst + " and " + aggregateFrom);
        }
        if (!isPositive(spamRefill) || !isPositive(aggregateWithin)) {
            throw new IllegalArgumentException("spamRefill and aggregateWithin must be greater than 0, got "
                    + spamRefill + " and " + aggregateWithin);
        }
    }

    private static boolean isPositive(Duration duration) {
        return !duration.isZero() && !duration.isNegative();
    }
}
