/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.nodelifecycle;

import java.time.Duration;
import java.util.Objects;

/**
 * The settings of the node lifecycle controller. Immutable.
 *
 * @param monitorPeriod the time from one pass over all nodes to the next; {@code --node-monitor-period}, default 5 s
 * @param gracePeriod how long a node may be silent; {@code --node-monitor-grace-period}, default 50 s
 * @param startupGracePeriod how long a new node may be silent; {@code --node-startup-grace-period}, default 1 min
 * @param evictionRate nodes per second and zone that get a {@code NoExecute} taint; {@code --node-eviction-rate},
 *     default 0.1
 * @param secondaryEvictionRate the rate of a large zone that is partially disrupted; {@code
 *     --secondary-node-eviction-rate}, default 0.01
 * @param largeZone a zone with more nodes is large; {@code --large-cluster-size-threshold}, default 50
 * @param unhealthyZone the share of failed nodes from which a zone is partially disrupted; {@code
 *     --unhealthy-zone-threshold}, default 0.55
 */
public record NodeLifecycleConfig(
        Duration monitorPeriod,
        Duration gracePeriod,
        Duration startupGracePeriod,
        double evictionRate,
        double secondaryEvictionRate,
        int largeZone,
        double unhealthyZone) {

    /** The defaults of kube-controller-manager 1.37. */
    public static final NodeLifecycleConfig DEFAULT = new NodeLifecycleConfig(
            Duration.ofSeconds(5), Duration.ofSeconds(50), Duration.ofMinutes(1), 0.1, 0.01, 50, 0.55);

    /** Checks that no duration is null. */
    public NodeLifecycleConfig {
        Objects.requireNonNull(monitorPeriod, "monitorPeriod");
        Objects.requireNonNull(gracePeriod, "gracePeriod");
        Objects.requireNonNull(startupGracePeriod, "startupGracePeriod");
    }
}
