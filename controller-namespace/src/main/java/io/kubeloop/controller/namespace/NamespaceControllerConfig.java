package io.kubeloop.controller.namespace;

import java.time.Duration;

/**
 * The settings of the namespace controller.
 *
 * @param resyncPeriod time after which every terminating namespace is synced again; zero for never
 * @param deletionDelay time between an event about a terminating namespace and its sync. Several API servers need it: each
 *     must know of the deletion, so that none accepts new content. Zero for a single server in the same process
 */
public record NamespaceControllerConfig(Duration resyncPeriod, Duration deletionDelay) {

    /** The defaults of kube-controller-manager: a resync each 5 minutes, and a delay of 5 s. */
    public static final NamespaceControllerConfig DEFAULT =
            new NamespaceControllerConfig(Duration.ofMinutes(5), Duration.ofSeconds(5));

    /** Checks that no duration is negative. */
    public NamespaceControllerConfig {
        if (resyncPeriod.isNegative() || deletionDelay.isNegative()) {
            throw new IllegalArgumentException(
                    "durations cannot be negative, got " + resyncPeriod + " and " + deletionDelay);
        }
    }

    /** Returns a copy with this resync period; zero for never. */
    public NamespaceControllerConfig withResyncPeriod(Duration period) {
        return new NamespaceControllerConfig(period, deletionDelay);
    }

    /** Returns a copy with this delay; zero for none. */
    public NamespaceControllerConfig withDeletionDelay(Duration delay) {
        return new NamespaceControllerConfig(resyncPeriod, delay);
    }
}
