/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.volume.persistentvolume;

import java.time.Duration;
import java.util.Map;
import java.util.Objects;

/**
 * The settings of the controller that binds claims. Immutable.
 *
 * @param syncPeriod the time after which all claims and volumes are synced again; {@code --pvclaimbinder-sync-period},
 *     default 15 s
 * @param dynamicProvisioning whether claims without a volume are handed to provisioners; {@code
 *     --enable-dynamic-provisioning}, default true
 * @param recyclers the pods that empty volumes with the policy Recycle, by the member of the volumes: {@code hostPath}
 *     and {@code nfs}
 */
public record PersistentVolumeConfig(
        Duration syncPeriod, boolean dynamicProvisioning, Map<String, RecyclerPod> recyclers) {

    /** The defaults of kube-controller-manager. */
    public static final PersistentVolumeConfig DEFAULT = new PersistentVolumeConfig(
            Duration.ofSeconds(15), true, Map.of("hostPath", RecyclerPod.HOST_PATH, "nfs", RecyclerPod.NFS));

    /** Checks that nothing is null. */
    public PersistentVolumeConfig {
        Objects.requireNonNull(syncPeriod, "syncPeriod");
        recyclers = Map.copyOf(recyclers);
    }
}
