/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.volumes;

import io.kubeloop.api.GenericObject;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonObject;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Translates volumes of former plug-ins into volumes of the CSI drivers that took over (upstream: {@code
 * csi-translation-lib}). Static functions only.
 */
final class CsiTranslation {

    private static final String UNKNOWN = "UNSPECIFIED";
    private static final Pattern EBS_VOLUME = Pattern.compile("aws://[^/]*/+(vol-[^/]*)/*");
    private static final Pattern AZURE_SECRET = Pattern.compile("azure-storage-account-(.+)-secret");
    private static final List<String> ZONES =
            List.of("failure-domain.beta.kubernetes.io/zone", "topology.kubernetes.io/zone");

    private CsiTranslation() {}

    /** Returns a PersistentVolume of a former plug-in; empty if the driver cannot serve it. */
    static Optional<VolumeSpec> persistent(CsiMigration migration, GenericObject volume) {
        JsonObject spec = JsonObject.of(volume.unknownFields()).object("spec");
        JsonObject source = spec.object(migration.member());
        String handle = switch (migration.member()) {
            case "gcePersistentDisk" -> disk(source.string("pdName"), zones(volume));
            case "azureFile" ->
                share(
                        source,
                        volume.metadata().annotations().getOrDefault("kubernetes.io/azure-file-resource-group", ""),
                        volume.metadata().name(),
                        source.has("secretNamespace")
                                ? source.string("secretNamespace")
                                : spec.string("claimRef", "namespace"));
            default -> handle(migration, source);
        };
        List<String> modes = spec.array("accessModes").strings().toList();
        return handle == null
                ? Optional.empty()
                : Optional.of(new VolumeSpec(
                        volume.metadata().name(),
                        VolumeSpec.CSI,
                        VolumeSpec.csiId(migration.driver(), handle),
                        migration.member().equals("gcePersistentDisk") ? diskModes(modes) : modes,
                        true,
                        true,
                        JsonObject.EMPTY));
    }

    /** Returns a pod's own volume of a former plug-in; empty if the driver cannot serve it. */
    static Optional<VolumeSpec> inline(CsiMigration migration, JsonObject volume, String namespace) {
        String member = migration.member();
        JsonObject source = volume.object(member);
        String handle = switch (member) {
            case "gcePersistentDisk" -> disk(source.string("pdName"), List.of());
            case "azureFile" -> share(source, "", volume.string("name"), namespace);
            default -> handle(migration, source);
        };
        if (handle == null) {
            return Optional.empty();
        }
        String name = switch (member) {
            case "azureDisk", "azureFile" -> handle;
            case "gcePersistentDisk" -> migration.driver() + "-" + source.string("pdName");
            default -> migration.driver() + "-" + handle;
        };
        String mode = "ReadWriteOnce";
        if (member.equals("azureFile")) {
            mode = "ReadWriteMany";
        } else if (Set.of("gcePersistentDisk", "portworxVolume").contains(member) && source.bool("readOnly")) {
            mode = "ReadOnlyMany";
        }
        JsonObject spec = JsonObject.builder()
                .put("accessModes", JsonArray.ofStrings(List.of(mode)))
                .put("csi", csi(migration, source, handle, namespace))
                .put("volumeMode", "Filesystem")
                .build();
        return Optional.of(new VolumeSpec(
                name, VolumeSpec.CSI, VolumeSpec.csiId(migration.driver(), handle), List.of(mode), true, true, spec));
    }

    private static JsonObject csi(CsiMigration migration, JsonObject source, String handle, String namespace) {
        JsonObject csi = JsonObject.EMPTY.with("driver", migration.driver()).with("volumeHandle", handle);
        if (source.bool("readOnly") && !migration.member().equals("portworxVolume")) {
            csi = csi.with("readOnly", true);
        }
        if (!source.string("fsType").isEmpty()) {
            csi = csi.with("fsType", source.string("fsType"));
        }
        JsonObject attributes = attributes(migration.member(), source);
        if (!attributes.isEmpty()) {
            csi = csi.with("volumeAttributes", attributes);
        }
        if (migration.member().equals("azureFile")) {
            csi = csi.with(List.of("nodeStageSecretRef", "name"), source.string("secretName"))
                    .with(List.of("nodeStageSecretRef", "namespace"), namespace);
        }
        return csi;
    }

    private static JsonObject attributes(String member, JsonObject source) {
        Long partition = source.number("partition");
        return switch (member) {
            case "awsElasticBlockStore" ->
                JsonObject.EMPTY.with("partition", String.valueOf(partition == null ? 0 : partition));
            case "gcePersistentDisk" ->
                JsonObject.EMPTY.with("partition", partition == null || partition == 0 ? "" : partition.toString());
            case "azureDisk" -> {
                JsonObject attributes = JsonObject.EMPTY.with("kind", "Managed");
                if (!source.string("cachingMode").isEmpty()) {
                    attributes = attributes.with("cachingmode", source.string("cachingMode"));
                }
                yield source.has("fsType") ? attributes.with("fstype", source.string("fsType")) : attributes;
            }
            case "azureFile" -> JsonObject.EMPTY.with("sharename", source.string("shareName"));
            case "vsphereVolume" ->
                source.string("storagePolicyName").isEmpty()
                        ? JsonObject.EMPTY
                        : JsonObject.EMPTY.with("storagepolicyname", source.string("storagePolicyName"));
            default -> JsonObject.EMPTY;
        };
    }

    /** Returns the handle of a volume whose plug-in needs only the source; null if the driver cannot serve it. */
    private static @Nullable String handle(CsiMigration migration, JsonObject source) {
        return switch (migration.member()) {
            case "awsElasticBlockStore" -> {
                String id = source.string("volumeID");
                Matcher url = EBS_VOLUME.matcher(id);
                if (url.matches()) {
                    yield url.group(1);
                }
                yield id.startsWith("aws://") ? null : id;
            }
            case "azureDisk" ->
                source.has("kind") && !source.string("kind").equalsIgnoreCase("Managed")
                        ? null
                        : source.string("diskURI");
            case "vsphereVolume" -> source.string("volumePath");
            default -> source.string("volumeID");
        };
    }

    private static List<String> zones(GenericObject volume) {
        return ZONES.stream()
                .map(label -> volume.metadata().labels().getOrDefault(label, ""))
                .filter(zones -> !zones.isEmpty())
                .findFirst()
                .map(zones -> List.of(zones.split("__", -1)))
                .orElse(List.of());
    }

    /** Returns the handle of a disk of a zone, of the region of several zones, or of an unknown zone. */
    private static @Nullable String disk(String name, List<String> zones) {
        String place = "zones/" + (zones.isEmpty() ? UNKNOWN : zones.get(0));
        if (zones.size() > 1) {
            Set<String> regions = zones.stream()
                    .map(zone -> zone.substring(0, Math.max(0, zone.lastIndexOf('-'))))
                    .collect(Collectors.toSet());
            if (regions.size() != 1) {
                return null;
            }
            place = "regions/" + regions.iterator().next();
        }
        return "projects/" + UNKNOWN + "/" + place + "/disks/" + name;
    }

    /** The plug-in of these disks allowed what the driver does not: many writers, or a writer beside readers. */
    private static List<String> diskModes(List<String> modes) {
        return modes.isEmpty() || modes.equals(List.of("ReadOnlyMany")) ? modes : List.of("ReadWriteOnce");
    }

    private static @Nullable String share(JsonObject source, String group, String name, String namespace) {
        if (namespace.isEmpty()) {
            return null;
        }
        Matcher secret = AZURE_SECRET.matcher(source.string("secretName"));
        String account = secret.find() ? secret.group(1) : source.string("secretName");
        return Stream.of(group, account, source.string("shareName"), name, namespace)
                .collect(Collectors.joining("#"));
    }
}
