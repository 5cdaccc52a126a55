/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.volumes;

import java.util.List;
import java.util.Optional;

/**
 * The volume plug-ins that have become CSI drivers (upstream: {@code csi-translation-lib}). Immutable.
 *
 * @param member the member of a volume's spec
 * @param plugin the name of the plug-in
 * @param driver the name of the driver
 */
public record CsiMigration(String member, String plugin, String driver) {

    private static final List<CsiMigration> ALL = List.of(
            new CsiMigration("gcePersistentDisk", "kubernetes.io/gce-pd", "pd.csi.storage.gke.io"),
            new CsiMigration("awsElasticBlockStore", "kubernetes.io/aws-ebs", "ebs.csi.aws.com"),
            new CsiMigration("azureDisk", "kubernetes.io/azure-disk", "disk.csi.azure.com"),
            new CsiMigration("azureFile", "kubernetes.io/azure-file", "file.csi.azure.com"),
            new CsiMigration("cinder", "kubernetes.io/cinder", "cinder.csi.openstack.org"),
            new CsiMigration("vsphereVolume", "kubernetes.io/vsphere-volume", "csi.vsphere.vmware.com"),
            new CsiMigration("portworxVolume", "kubernetes.io/portworx-volume", "pxd.portworx.com"));

    /** Returns what has become of the plug-in of this name. */
    public static Optional<CsiMigration> ofPlugin(String plugin) {
        return ALL.stream().filter(each -> each.plugin.equals(plugin)).findFirst();
    }

    /** Returns what has become of the plug-in of a volume. */
    public static Optional<CsiMigration> ofVolume(Iterable<String> membersOfSpec) {
        for (String member : membersOfSpec) {
            for (CsiMigration each : ALL) {
                if (each.member.equals(member)) {
                    return Optional.of(each);
                }
            }
        }
        return Optional.empty();
    }
}
