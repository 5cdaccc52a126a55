/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.volume.persistentvolume;

import java.time.Duration;
import java.util.Objects;

/**
 * The settings of the controller that binds claims. Immutable.
 *
 * @param syncPeriod the time after which all claims and volumes are synced again; {@code --pvclaimbinder-sync-period},
 *     default 15 s
 * @param dynamicProvisioning whether claims without a volume are handed to provisioners; {@code
 *     --enable-dynamic-provisioning}, default true
 */
public record PersistentVolumeConfig(Duration syncPeriod, boolean dynamicProvisioning) {

    /** The defaults of kube-controller-manager. */
    public static final PersistentVolumeConfig DEFAULT = new PersistentVolumeConfig(Duration.ofSeconds(15), true);

    /** Checks that the period is not null. */
    public PersistentVolumeConfig {
        Objects.requireNonNull(syncPeriod, "syncPeriod");
    }
}
