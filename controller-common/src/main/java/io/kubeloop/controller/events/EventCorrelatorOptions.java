package io.kubeloop.controller.events;

import java.time.Duration;

/**
 * What events say of their component, and how hard they are condensed (upstream: {@code CorrelatorOptions}, EV-15).
 *
 * @param cacheSize how many groups, events and objects are remembered, each; default 4096
 * @param spamBurst how many events an object may have at once; default 25
 * @param spamRefill how long until it may have one more; default 5 min
 * @param spamPerType whether each type of event has an allowance of its own, as upstream does since v1.31; default false
 * @param reporting whether single events name their component as {@code reportingComponent} too, as current releases do; default false
 * @param aggregateFrom the number of different messages from which similar events are combined; default 10
 * @param aggregateWithin how long after the last similar event a group is forgotten; default 10 min
 */
public record EventCorrelatorOptions(
        int cacheSize,
        int spamBurst,
        Duration spamRefill,
        boolean spamPerType,
        boolean reporting,
        int aggregateFrom,
        Duration aggregateWithin) {

    /** The defaults. */
    public static final EventCorrelatorOptions DEFAULT =
            new EventCorrelatorOptions(4096, 25, Duration.ofMinutes(5), false, false, 10, Duration.ofMinutes(10));

    /** Those of current releases of Kubernetes. */
    public static final EventCorrelatorOptions CURRENT =
            new EventCorrelatorOptions(4096, 25, Duration.ofMinutes(5), true, true, 10, Duration.ofMinutes(10));

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
