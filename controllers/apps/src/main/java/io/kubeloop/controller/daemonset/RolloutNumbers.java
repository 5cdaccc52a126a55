/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.daemonset;

import io.kubeloop.api.apps.DaemonSet;
import io.kubeloop.api.apps.DaemonSetUpdateStrategy;
import io.kubeloop.api.apps.RollingUpdateDaemonSet;
import io.kubeloop.api.value.IntOrString;
import org.jspecify.annotations.Nullable;

/**
 * The limits of a rolling update as numbers of nodes (upstream: {@code SurgeCount} and {@code UnavailableCount}).
 *
 * @param maxSurge the number of nodes that may have a new pod beside the old one
 * @param maxUnavailable the number of nodes that may be without an available pod
 */
record RolloutNumbers(int maxSurge, int maxUnavailable) {

    /** Returns the limits of a set; none if its strategy is not a rolling update. */
    static RolloutNumbers of(DaemonSet set, int nodes) {
        DaemonSetUpdateStrategy strategy = set.spec().updateStrategy();
        RollingUpdateDaemonSet limits = strategy.rollingUpdate();
        if (limits == null || !isRolling(set)) {
            return new RolloutNumbers(0, 0);
        }
        return new RolloutNumbers(scaled(limits.maxSurge(), nodes), scaled(limits.maxUnavailable(), nodes));
    }

    private static int scaled(@Nullable IntOrString limit, int nodes) {
        return limit == null ? 0 : limit.scaled(nodes, true);
    }

    /** Returns limits with which a rollout can proceed: one node may be unavailable if both are 0. */
    RolloutNumbers orOneUnavailable(int nodes) {
        return nodes > 0 && maxSurge == 0 && maxUnavailable == 0 ? new RolloutNumbers(0, 1) : this;
    }

    /** Returns whether a node may have two pods. */
    static boolean allowsSurge(DaemonSet set) {
        return of(set, 1).maxSurge() > 0;
    }

    /** Returns whether the controller replaces old pods, which it does not with {@code OnDelete}. */
    static boolean isRolling(DaemonSet set) {
        return set.spec().updateStrategy().type().equals(DaemonSetUpdateStrategy.ROLLING_UPDATE);
    }
}
