/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.volumes;

import io.kubeloop.api.GenericObject;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceType;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.cache.Lister;
import org.jspecify.annotations.Nullable;

/**
 * What CSI drivers state about themselves in their CSIDriver objects. Thread-safe; does not block.
 *
 * @param drivers the cached CSIDrivers
 */
public record CsiDrivers(Lister<GenericObject> drivers) {

    /** The resource. */
    public static final ResourceType<GenericObject> TYPE =
            ResourceTypes.generic("storage.k8s.io", "v1", "csidrivers", "CSIDriver", ResourceType.Scope.CLUSTER);

    /** Returns whether volumes of a plug-in are attached before a node mounts them. Unknown drivers require it. */
    public boolean requiresAttachment(VolumeSpec volume) {
        if (volume.id().isEmpty()) {
            return false;
        }
        return switch (volume.plugin()) {
            case VolumeSpec.CSI -> {
                GenericObject driver = driver(volume);
                yield driver == null || !Boolean.FALSE.equals(driver.value("spec", "attachRequired"));
            }
            case VolumeSpec.FIBRE_CHANNEL, VolumeSpec.ISCSI -> true;
            default -> false;
        };
    }

    /** Returns whether nodes mount volumes of a plug-in with the SELinux label of the pod. */
    public boolean mountsWithLabel(VolumeSpec volume) {
        return switch (volume.plugin()) {
            case VolumeSpec.CSI -> {
                GenericObject driver = driver(volume);
                yield driver != null && mountsWithLabel(driver);
            }
            case VolumeSpec.FIBRE_CHANNEL, VolumeSpec.ISCSI -> true;
            default -> false;
        };
    }

    /** Returns whether a driver mounts volumes with the SELinux label of the pod. */
    public static boolean mountsWithLabel(GenericObject driver) {
        return driver.bool("spec", "seLinuxMount");
    }

    private @Nullable GenericObject driver(VolumeSpec volume) {
        return drivers.get(new ObjectName("", volume.driver()));
    }
}
