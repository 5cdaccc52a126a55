/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.columns;

import static io.kubeloop.apiserver.kinds.columns.Cells.AGE;
import static io.kubeloop.apiserver.kinds.columns.Cells.NAME;
import static io.kubeloop.apiserver.kinds.columns.Cells.UNSET;
import static io.kubeloop.apiserver.kinds.columns.Cells.flag;
import static io.kubeloop.apiserver.kinds.columns.Cells.size;
import static io.kubeloop.apiserver.kinds.columns.Cells.string;
import static io.kubeloop.apiserver.kinds.columns.Cells.stringOr;
import static io.kubeloop.apiserver.kinds.columns.Cells.text;
import static java.util.Map.entry;

import io.kubeloop.apiserver.table.Row;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonValue;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The cells of volumes, their classes and drivers, and of devices. */
final class StorageCells {

    private static final List<List<String>> MODES = List.of(
            List.of("ReadWriteOnce", "RWO"),
            List.of("ReadOnlyMany", "ROX"),
            List.of("ReadWriteMany", "RWX"),
            List.of("ReadWriteOncePod", "RWOP"));

    private static final List<String> DEFAULT_MARKS =
            List.of("storageclass.kubernetes.io/is-default-class", "storageclass.beta.kubernetes.io/is-default-class");

    /** The order by age; of two of the same age, the first by name is newer. */
    private static final Comparator<JsonObject> NEWEST = Comparator.comparing(
                    (JsonObject object) -> object.string("metadata", "creationTimestamp"))
            .thenComparing(object -> object.string("metadata", "name"), Comparator.reverseOrder());

    static final Map<String, List<Function<Row, JsonValue>>> TABLE = Map.ofEntries(
            entry(
                    "v1 PersistentVolume",
                    List.of(
                            NAME,
                            stringOr("0", "spec", "capacity", "storage"),
                            text(row -> modes(row.object().array("spec", "accessModes"))),
                            string("spec", "persistentVolumeReclaimPolicy"),
                            text(StorageCells::phase),
                            text(StorageCells::claim),
                            Cells.storageClass("spec", "storageClassName"),
                            stringOr(UNSET, "spec", "volumeAttributesClassName"),
                            string("status", "reason"),
                            AGE,
                            stringOr(UNSET, "spec", "volumeMode"))),
            entry(
                    "v1 PersistentVolumeClaim",
                    List.of(
                            NAME,
                            text(StorageCells::phase),
                            string("spec", "volumeName"),
                            text(row -> isBound(row)
                                    ? Cells.plain(row.object(), "0", "status", "capacity", "storage")
                                    : ""),
                            text(row -> isBound(row) ? modes(row.object().array("status", "accessModes")) : ""),
                            Cells.storageClass("spec", "storageClassName"),
                            stringOr(UNSET, "spec", "volumeAttributesClassName"),
                            AGE,
                            stringOr(UNSET, "spec", "volumeMode"))),
            entry(
                    "storage.k8s.io/v1 StorageClass",
                    List.of(
                            text(StorageCells::classOrDefault),
                            string("provisioner"),
                            stringOr("Delete", "reclaimPolicy"),
                            stringOr("Immediate", "volumeBindingMode"),
                            flag(false, "allowVolumeExpansion"),
                            AGE)),
            entry(
                    "storage.k8s.io/v1 VolumeAttachment",
                    List.of(
                            NAME,
                            string("spec", "attacher"),
                            string("spec", "source", "persistentVolumeName"),
                            string("spec", "nodeName"),
                            flag(false, "status", "attached"),
                            AGE)),
            entry("storage.k8s.io/v1 VolumeAttributesClass", List.of(NAME, string("driverName"), AGE)),
            entry("storage.k8s.io/v1 CSINode", List.of(NAME, size("spec", "drivers"), AGE)),
            entry(
                    "storage.k8s.io/v1 CSIDriver",
                    List.of(
                            NAME,
                            flag(true, "spec", "attachRequired"),
                            flag(false, "spec", "podInfoOnMount"),
                            flag(false, "spec", "storageCapacity"),
                            text(StorageCells::audiences),
                            flag(false, "spec", "requiresRepublish"),
                            text(row -> Row.orNone(row.object()
                                    .array("spec", "volumeLifecycleModes")
                                    .strings()
                                    .collect(Collectors.joining(",")))),
                            AGE)),
            entry("resource.k8s.io/v1 DeviceClass", List.of(NAME, AGE)),
            entry(
                    "resource.k8s.io/v1 DeviceTaintRule",
                    List.of(
                            NAME,
                            string("spec", "taint", "key"),
                            string("spec", "taint", "value"),
                            string("spec", "taint", "effect"),
                            text(row -> row.object().object("spec", "taint").has("timeAdded")
                                    ? row.age("spec", "taint", "timeAdded")
                                    : ""),
                            AGE)),
            entry("resource.k8s.io/v1 ResourceClaimTemplate", List.of(NAME, AGE)),
            entry("resource.k8s.io/v1 ResourceClaim", List.of(NAME, text(StorageCells::claimState), AGE)),
            entry(
                    "resource.k8s.io/v1 ResourceSlice",
                    List.of(
                            NAME,
                            string("spec", "nodeName"),
                            string("spec", "driver"),
                            string("spec", "pool", "name"),
                            AGE)));

    private StorageCells() {}

    /** Of the classes of a list that are marked as default, the newest one is. */
    private static String classOrDefault(Row row) {
        String name = row.object().string("metadata", "name");
        return row.list().stream()
                        .filter(StorageCells::isMarkedDefault)
                        .max(NEWEST)
                        .filter(newest -> newest.string("metadata", "name").equals(name))
                        .isPresent()
                ? name + " (default)"
                : name;
    }

    private static boolean isMarkedDefault(JsonObject storage) {
        JsonObject annotations = storage.object("metadata", "annotations");
        return DEFAULT_MARKS.stream().anyMatch(mark -> annotations.string(mark).equals("true"));
    }

    private static boolean isDeleting(Row row) {
        return row.object().object("metadata").has("deletionTimestamp");
    }

    private static String phase(Row row) {
        return isDeleting(row) ? "Terminating" : row.object().string("status", "phase");
    }

    private static boolean isBound(Row row) {
        return !row.object().string("spec", "volumeName").isEmpty();
    }

    private static String modes(JsonArray modes) {
        Set<String> named = modes.strings().collect(Collectors.toSet());
        return MODES.stream()
                .filter(mode -> named.contains(mode.get(0)))
                .map(mode -> mode.get(1))
                .collect(Collectors.joining(","));
    }

    private static String claim(Row row) {
        JsonObject spec = row.object().object("spec");
        return spec.has("claimRef") ? spec.string("claimRef", "namespace") + "/" + spec.string("claimRef", "name") : "";
    }

    private static String audiences(Row row) {
        JsonObject spec = row.object().object("spec");
        return spec.has("tokenRequests") ? Row.joined(spec.array("tokenRequests"), "audience") : UNSET;
    }

    private static String claimState(Row row) {
        JsonObject status = row.object().object("status");
        List<String> states = new ArrayList<>();
        if (isDeleting(row)) {
            states.add("deleted");
        }
        if (status.has("allocation")) {
            states.add("allocated");
            if (!status.array("reservedFor").isEmpty()) {
                states.add("reserved");
            }
        } else if (!isDeleting(row)) {
            states.add("pending");
        }
        return String.join(",", states);
    }
}
