/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.volume.attachdetach;

import java.time.Duration;
import java.util.Objects;

/**
 * The settings of the controller that attaches volumes. Immutable.
 *
 * @param syncPeriod the time between two checks whether attached volumes still are; {@code
 *     --attach-detach-reconcile-sync-period}, default 1 min. A period below 1 s disables the check
 * @param checksAttachments whether that check runs; false for {@code --disable-attach-detach-reconcile-sync}
 * @param forcesDetachment whether volumes of a node that is not ready are detached 6 minutes after no pod needs them,
 *     although the node may still use them; false for {@code --disable-force-detach-on-timeout}
 */
public record AttachDetachConfig(Duration syncPeriod, boolean checksAttachments, boolean forcesDetachment) {

    /** The defaults of kube-controller-manager. */
    public static final AttachDetachConfig DEFAULT = new AttachDetachConfig(Duration.ofMinutes(1), true, true);

    private static final Duration SHORTEST = Duration.ofSeconds(1);

    /** Checks that the period is not null. */
    public AttachDetachConfig {
        Objects.requireNonNull(syncPeriod, "syncPeriod");
    }

    boolean isChecking() {
        return checksAttachments && syncPeriod.compareTo(SHORTEST) >= 0;
    }
}
