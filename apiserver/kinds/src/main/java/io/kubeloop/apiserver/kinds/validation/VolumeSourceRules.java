/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.validation;

import com.google.re2j.Pattern;
import io.kubeloop.api.NameValidation;
import io.kubeloop.apiserver.fielderrors.FieldCursor;
import io.kubeloop.json.tree.JsonString;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Validation of the sources of volumes that pods and persistent volumes share (upstream: {@code
 * pkg/apis/core/validation}).
 */
public final class VolumeSourceRules {

    private static final List<String> HOST_PATH_TYPES = List.of(
            "", "BlockDevice", "CharDevice", "Directory", "DirectoryOrCreate", "File", "FileOrCreate", "Socket");
    private static final List<String> CACHING_MODES = List.of("None", "ReadOnly", "ReadWrite");
    private static final List<String> DISK_KINDS = List.of("Dedicated", "Managed", "Shared");
    private static final List<String> MANAGED_DISK =
            List.of("/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}");
    private static final List<String> BLOB_DISK =
            List.of("https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd");
    private static final String REGISTRY = "must be a host:port pair or multiple pairs separated by commas";
    private static final Pattern IQN = Pattern.compile("iqn\\.\\d{4}-\\d{2}\\.([a-zA-Z0-9.-]+)(:[^,;*&$|\\s]+)$");
    private static final Pattern HOST_AND_PORT = Pattern.compile("(\\[[^\\[\\]]*\\]|[^:\\[\\]]*):[^:\\[\\]]*");
    private static final Pattern EUI = Pattern.compile("^eui.[a-zA-Z0-9]{16}$");
    private static final Pattern NAA = Pattern.compile("^naa.[a-zA-Z0-9]{32}$");
    private static final String BAD_FORMAT = "must be valid format";
    private static final int MAX_LUN = 255;
    private static final int MAX_TENANT = 64;
    private static final int MAX_ISCSI_NAME = 64;
    private static final int MAX_DRIVER = 63;

    private VolumeSourceRules() {}

    /** Validates a directory of the node. */
    public static void hostPath(FieldCursor source) {
        if (source.at("path").require()) {
            noBacksteps(source.at("path"));
            source.at("type").oneOfIfSet(HOST_PATH_TYPES);
        }
    }

    /** Validates an NFS share. */
    public static void nfs(FieldCursor source) {
        source.at("server").require();
        source.at("path").require();
        if (!source.at("path").text().startsWith("/")) {
            source.at("path").holdingText().invalid("must be an absolute path");
        }
    }

    /** Validates a disk whose name is in this field. */
    public static void partitionedDisk(FieldCursor source, String name) {
        source.at(name).require();
        FieldCursor partition = source.at("partition");
        if (partition.number() < 0 || partition.number() > MAX_LUN) {
            partition.invalid("must be between 1 and 255, inclusive");
        }
    }

    /** Validates a Flocker data set. */
    public static void flocker(FieldCursor source) {
        FieldCursor name = source.at("datasetName");
        boolean hasId = !source.at("datasetUUID").isEmpty();
        if (name.isEmpty() && !hasId) {
            source.required("one of datasetName and datasetUUID is required");
        }
        if (!name.isEmpty() && hasId) {
            source.holding(new JsonString("resource"))
                    .invalid("datasetName and datasetUUID can not be specified simultaneously");
        }
        if (name.text().contains("/")) {
            name.invalid("must not contain '/'");
        }
    }

    /** Validates a Fibre Channel volume. */
    public static void fibreChannel(FieldCursor source) {
        FieldCursor targets = source.at("targetWWNs");
        FieldCursor lun = source.at("lun");
        boolean hasIds = !source.at("wwids").isEmpty();
        if (targets.isEmpty() && !hasIds) {
            targets.required("must specify either targetWWNs or wwids, but not both");
        }
        if (!targets.isEmpty() && hasIds) {
            targets.invalid("targetWWNs and wwids can not be specified simultaneously");
        }
        if (!targets.isEmpty() && !lun.isSet()) {
            lun.required("lun is required if targetWWNs is specified");
        } else if (!targets.isEmpty()) {
            lun.between(0, MAX_LUN);
        }
    }

    /** Validates a Quobyte volume. */
    public static void quobyte(FieldCursor source) {
        FieldCursor registry = source.at("registry");
        FieldCursor tenant = source.at("tenant");
        if (registry.isEmpty()) {
            registry.required(REGISTRY);
        } else if (tenant.text().length() > MAX_TENANT) {
            tenant.required("must be a UUID and may not exceed a length of 64 characters");
        } else {
            for (String pair : registry.text().split(",", -1)) {
                if (!HOST_AND_PORT.matcher(pair).matches()) {
                    registry.invalid(REGISTRY);
                }
            }
        }
        source.at("volume").require();
    }

    /** Validates an Azure disk. */
    public static void azureDisk(FieldCursor source) {
        FieldCursor uri = source.at("diskURI");
        FieldCursor kind = source.at("kind");
        source.at("diskName").require();
        uri.require();
        source.at("cachingMode").oneOfIfSet(CACHING_MODES);
        kind.oneOfIfSet(DISK_KINDS);
        boolean isManaged = kind.text().equals("Managed");
        if (kind.isSet() && !uri.text().startsWith(isManaged ? "/subscriptions/" : "https://")) {
            uri.notSupported(isManaged ? MANAGED_DISK : BLOB_DISK);
        }
    }

    /**
     * Validates an iSCSI volume.
     *
     * @param volume the name of the persistent volume; empty for the volume of a pod
     */
    public static void iscsi(FieldCursor source, String volume) {
        FieldCursor portal = source.at("targetPortal");
        FieldCursor initiator = source.at("initiatorName").named(source.path() + ".initiatorname");
        String hint = volume.isEmpty() ? " starting with iqn, eui, or naa" : "";
        portal.require();
        if (!volume.isEmpty() && initiator.isSet() && (volume + ":" + portal.text()).length() > MAX_ISCSI_NAME) {
            portal.named(source.path() + ".targetportal")
                    .invalid("Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if"
                            + " iscsi.initiatorName is specified.");
        }
        if (source.at("iqn").require()) {
            qualifiedName(source.at("iqn"), hint);
        }
        source.at("lun").between(0, MAX_LUN);
        FieldCursor secret = source.at("secretRef");
        if ((source.at("chapAuthDiscovery").isTrue()
                        || source.at("chapAuthSession").isTrue())
                && !secret.isSet()) {
            secret.required("");
        }
        if (!volume.isEmpty()) {
            secret.ifSet(set -> set.at("name").require());
        }
        initiator.ifSet(name -> qualifiedName(name, hint));
    }

    private static void qualifiedName(FieldCursor name, String hint) {
        String text = name.text();
        if (text.startsWith("iqn") || text.startsWith("eui") || text.startsWith("naa")) {
            Pattern form = text.startsWith("iqn") ? IQN : text.startsWith("eui") ? EUI : NAA;
            if (!form.matcher(text).find()) {
                name.invalid(BAD_FORMAT);
            }
        } else {
            name.invalid(BAD_FORMAT + hint);
        }
    }

    /** Validates the name of a CSI driver. */
    public static void driverName(FieldCursor driver) {
        if (driver.require()) {
            if (driver.text().length() > MAX_DRIVER) {
                driver.errors().tooLong(driver.path(), MAX_DRIVER);
            }
            NameValidation.dns1123Subdomain(driver.text().toLowerCase(Locale.ROOT))
                    .forEach(driver::invalid);
        }
    }

    /** Adds an error for a path with backsteps. */
    public static void noBacksteps(FieldCursor path) {
        if (Arrays.asList(path.text().split("/", -1)).contains("..")) {
            path.invalid("must not contain '..'");
        }
    }
}
