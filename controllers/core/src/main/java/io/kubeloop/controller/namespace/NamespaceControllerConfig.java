/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.namespace;

import java.time.Duration;

/**
 * The settings of the namespace controller.
 *
 * @param resyncPeriod time after which every terminating namespace is synced again; zero for never
 * @param deletionDelay time between an event about a terminating namespace and its sync. It is needed with several API
 *     servers: each of them must have received the deletion, so none accepts new content. Zero for a single server
 *     in the same process
 * @param longestWait limit of the time until a namespace is synced again while content is left. That time is otherwise
 *     half of the longest grace period of its pods, or 8 s for objects with finalizers
 */
public record NamespaceControllerConfig(Duration resyncPeriod, Duration deletionDelay, Duration longestWait) {

    /** The defaults of kube-controller-manager: a resync each 5 minutes, a delay of 5 s, and waits of at most a day. */
    public static final NamespaceControllerConfig DEFAULT =
            new NamespaceControllerConfig(Duration.ofMinutes(5), Duration.ofSeconds(5), Duration.ofDays(1));

    /**
     * For a server in the same process, whose answers are current and cost little: no resync, no delay, and waits of at
     * most 200 ms.
     */
    public static final NamespaceControllerConfig IN_PROCESS =
            new NamespaceControllerConfig(Duration.ZERO, Duration.ZERO, Duration.ofMillis(200));

    /** Checks that no duration is negative. */
    public NamespaceControllerConfig {
        if (resyncPeriod.isNegative() || deletionDelay.isNegative()) {
            throw new IllegalArgumentException(
                    "durations cannot be negative, got " + resyncPeriod + " and " + deletionDelay);
        }
        if (longestWait.isNegative() || longestWait.isZero()) {
            throw new IllegalArgumentException("longestWait must be more than 0, got " + longestWait);
        }
    }

    /** Returns a copy with this resync period; zero for never. */
    public NamespaceControllerConfig withResyncPeriod(Duration period) {
        return new NamespaceControllerConfig(period, deletionDelay, longestWait);
    }
}
