/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.volumes;

import io.kubeloop.json.tree.JsonObject;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A volume and the plug-in that serves it (upstream: {@code volume.Spec} with the names that the plug-ins give).
 * Immutable.
 *
 * @param name the name of the PersistentVolume, or that of the pod's volume
 * @param plugin the name of the plug-in, such as {@code kubernetes.io/csi}
 * @param id the plug-in's name of the volume; for CSI the driver and the handle with {@code ^} between them. Empty for
 *     a volume that belongs to one pod
 * @param accessModes the access modes of a PersistentVolume
 * @param isPersistent whether it is a PersistentVolume, or is handled as one because its plug-in became a CSI driver
 * @param isMigrated whether its plug-in became a CSI driver
 * @param inline the spec of a PersistentVolume that stands for a pod's own volume of a former plug-in; empty for others
 */
public record VolumeSpec(
        String name,
        String plugin,
        String id,
        List<String> accessModes,
        boolean isPersistent,
        boolean isMigrated,
        JsonObject inline) {

    /** The plug-in of CSI drivers. */
    public static final String CSI = "kubernetes.io/csi";

    /** The plug-in of Fibre Channel. */
    public static final String FIBRE_CHANNEL = "kubernetes.io/fc";

    /** The plug-in of iSCSI. */
    public static final String ISCSI = "kubernetes.io/iscsi";

    private static final char SEPARATOR = '^';

    /** Copies the modes. */
    public VolumeSpec {
        accessModes = List.copyOf(accessModes);
    }

    /**
     * Returns the volume of a source; empty if no plug-in of the manager serves it.
     *
     * @param source the spec of a PersistentVolume, or a pod's volume
     * @param isPersistent whether it is the former
     */
    static Optional<VolumeSpec> of(String name, JsonObject source, boolean isPersistent) {
        List<String> modes =
                isPersistent ? source.array("accessModes").strings().toList() : List.of();
        for (String member : List.of("csi", "fc", "iscsi", "nfs", "hostPath")) {
            if (source.has(member)) {
                String id = member.equals("csi") && !isPersistent ? "" : id(member, source.object(member));
                String plugin = member.equals("hostPath") ? "kubernetes.io/host-path" : "kubernetes.io/" + member;
                return Optional.of(new VolumeSpec(name, plugin, id, modes, isPersistent, false, JsonObject.EMPTY));
            }
        }
        return Optional.empty();
    }

    private static String id(String member, JsonObject source) {
        Long lun = source.number("lun");
        return switch (member) {
            case "csi" -> csiId(source.string("driver"), source.string("volumeHandle"));
            case "fc" -> {
                String names = goList(source, "targetWWNs");
                yield names.isEmpty() || lun == null ? goList(source, "wwids") : names + ":" + lun;
            }
            case "iscsi" ->
                source.string("targetPortal") + ":" + source.string("iqn") + ":" + (lun == null ? "0" : lun.toString());
            case "nfs" -> source.string("server") + "/" + source.string("path");
            default -> source.string("path");
        };
    }

    /** Returns a list in the form of Go's {@code %v}; empty if the list is. */
    private static String goList(JsonObject source, String member) {
        return source.array(member).isEmpty()
                ? ""
                : source.array(member).strings().collect(Collectors.joining(" ", "[", "]"));
    }

    static String csiId(String driver, String handle) {
        return driver + SEPARATOR + handle;
    }

    /** Returns the name of the volume in the status of nodes (upstream: {@code UniqueVolumeName}). */
    public String uniqueName() {
        return plugin + "/" + id;
    }

    /** Returns the CSI driver; empty for other plug-ins. */
    public String driver() {
        return plugin.equals(CSI) && id.indexOf(SEPARATOR) >= 0 ? id.substring(0, id.indexOf(SEPARATOR)) : "";
    }

    /** Returns the driver's name of the volume; empty for other plug-ins. */
    public String handle() {
        return plugin.equals(CSI) ? id.substring(id.indexOf(SEPARATOR) + 1) : "";
    }

    /** Returns the name of the plug-in for metrics, with the CSI driver. */
    public String qualifiedPlugin() {
        return driver().isEmpty() ? plugin : plugin + ":" + driver();
    }

    /** Returns whether the plug-in can attach volumes to nodes. */
    public boolean isAttachable() {
        return List.of(CSI, FIBRE_CHANNEL, ISCSI).contains(plugin);
    }

    /** Returns whether several nodes may have the volume at a time, or nothing is known about it. */
    public boolean allowsSeveralNodes() {
        return !isPersistent
                || accessModes.isEmpty()
                || accessModes.contains("ReadWriteMany")
                || accessModes.contains("ReadOnlyMany");
    }
}
