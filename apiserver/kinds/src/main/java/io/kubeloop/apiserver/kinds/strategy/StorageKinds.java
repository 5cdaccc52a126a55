/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.strategy;

import static io.kubeloop.apiserver.rest.RestStrategy.UpdateStep.CHANGE;
import static io.kubeloop.apiserver.rest.RestStrategy.UpdateStep.METADATA;
import static io.kubeloop.apiserver.rest.RestStrategy.UpdateStep.METADATA_CHANGE;
import static io.kubeloop.apiserver.rest.RestStrategy.UpdateStep.OBJECT;

import io.kubeloop.apiserver.kinds.validation.node.NodeLabels;
import io.kubeloop.apiserver.kinds.validation.storage.DriverRules;
import io.kubeloop.apiserver.kinds.validation.storage.PersistentVolumeRules;
import io.kubeloop.apiserver.kinds.validation.storage.StorageClassRules;
import io.kubeloop.apiserver.kinds.validation.storage.VolumeClaimRules;
import io.kubeloop.apiserver.objectmeta.Meta;
import io.kubeloop.apiserver.rest.RestStrategy.Part;
import io.kubeloop.json.tree.JsonObject;
import java.util.List;
import java.util.Map;

/** Volumes, claims and the kinds of storage.k8s.io (upstream: {@code pkg/registry/storage} and others). */
final class StorageKinds {

    private static final String SOURCE = "dataSource";
    private static final String REFERENCE = "dataSourceRef";

    static final Map<String, KindStrategy.Entry> TABLE = Map.of(
            "persistentvolumes",
            KindStrategy.of("core.v1.PersistentVolume")
                    .updates(METADATA, OBJECT, METADATA, OBJECT, CHANGE)
                    .statusUpdates(METADATA_CHANGE)
                    .with(Trait.STATUS, Trait.RETURNS_DELETED_OBJECT)
                    .onWrite((volume, old, part, origin) ->
                            withTransition(volume, old == null ? JsonObject.EMPTY : old, origin.now()))
                    .check(PersistentVolumeRules::check)
                    .checkCreate(PersistentVolumeRules::options)
                    .checkUpdate((volume, old, part) -> PersistentVolumeRules.update(volume, old))
                    .warnings((volume, old, part) ->
                            part == Part.MAIN ? PersistentVolumeRules.warnings(volume) : List.of()),
            "persistentvolumeclaims",
            KindStrategy.of("core.v1.PersistentVolumeClaim")
                    .updates(METADATA_CHANGE, METADATA, CHANGE)
                    .with(Trait.STATUS, Trait.RETURNS_DELETED_OBJECT)
                    .onCreate(claim -> withDataSources(claim.with("status", JsonObject.EMPTY), JsonObject.EMPTY))
                    .onRead(claim -> claim.with(List.of("status", "phase"), "Pending"))
                    .onUpdate((claim, old, part) -> part == Part.MAIN ? withDataSources(claim, old) : claim)
                    .checkCreate(VolumeClaimRules::create)
                    .checkUpdate((claim, old, part) -> {
                        if (part == Part.MAIN) {
                            VolumeClaimRules.update(claim, old);
                        } else {
                            VolumeClaimRules.status(claim);
                        }
                    })
                    .warnings((claim, old, part) -> part == Part.MAIN ? VolumeClaimRules.warnings(claim) : List.of()),
            "storageclasses.storage.k8s.io",
            KindStrategy.of("storage.v1.StorageClass")
                    .updates(METADATA, OBJECT, METADATA_CHANGE, CHANGE)
                    .with(Trait.RETURNS_DELETED_OBJECT)
                    .check(StorageClassRules::storageClass)
                    .checkUpdate((storage, old, part) -> StorageClassRules.storageClassUpdate(storage, old))
                    .warnings((storage, old, part) -> StorageClassRules.warnings(storage)),
            "volumeattributesclasses.storage.k8s.io",
            KindStrategy.of("storage.v1.VolumeAttributesClass")
                    .updates(METADATA_CHANGE, CHANGE, METADATA, OBJECT)
                    .with(Trait.RETURNS_DELETED_OBJECT)
                    .check(StorageClassRules::attributesClass)
                    .checkUpdate((object, old, part) -> StorageClassRules.attributesClassUpdate(object, old)),
            "csidrivers.storage.k8s.io",
            KindStrategy.of("storage.v1.CSIDriver")
                    .with(Trait.RETURNS_DELETED_OBJECT, Trait.REQUIRES_VERSION_ON_UPDATE)
                    .onUpdate((driver, old, part) -> counted(driver, old))
                    .check(DriverRules::driver)
                    .checkUpdate((driver, old, part) -> DriverRules.driverUpdate(driver, old))
                    .warnings((driver, old, part) -> DriverRules.driverWarnings(driver, old)),
            "csinodes.storage.k8s.io",
            KindStrategy.of("storage.v1.CSINode")
                    .updates(METADATA, OBJECT, CHANGE)
                    .statusUpdates(METADATA_CHANGE)
                    .with(
                            Trait.STATUS,
                            Trait.KEEPS_METADATA_IN_STATUS,
                            Trait.RETURNS_DELETED_OBJECT,
                            Trait.REQUIRES_VERSION_ON_UPDATE)
                    .check(DriverRules::node)
                    .checkUpdate((node, old, part) -> DriverRules.nodeUpdate(node, old)),
            "csistoragecapacities.storage.k8s.io",
            KindStrategy.of("storage.v1.CSIStorageCapacity")
                    .updates(METADATA, OBJECT, METADATA_CHANGE, CHANGE)
                    .with(Trait.REQUIRES_VERSION_ON_UPDATE)
                    .check(DriverRules::capacity)
                    .checkUpdate((capacity, old, part) -> DriverRules.capacityUpdate(capacity, old))
                    .warnings((capacity, old, part) -> NodeLabels.selectorWarnings(capacity.at("nodeTopology"))),
            "volumeattachments.storage.k8s.io",
            KindStrategy.of("storage.v1.VolumeAttachment")
                    .updates(METADATA, CHANGE)
                    .statusUpdates(METADATA, CHANGE)
                    .with(
                            Trait.STATUS,
                            Trait.KEEPS_METADATA_IN_STATUS,
                            Trait.RETURNS_DELETED_OBJECT,
                            Trait.REQUIRES_VERSION_ON_UPDATE)
                    .checkCreate(DriverRules::newAttachment)
                    .checkUpdate((attachment, old, part) -> DriverRules.attachmentUpdate(attachment, old)));

    private StorageKinds() {}

    /** Sets the time of a change of the phase, unless the client sets a new one. */
    private static JsonObject withTransition(JsonObject volume, JsonObject old, String now) {
        String field = "lastPhaseTransitionTime";
        JsonObject status = volume.object("status");
        JsonObject before = old.object("status");
        String time = status.string(field);
        String oldTime = before.string(field);
        if (status.string("phase").equals(before.string("phase"))) {
            return time.isEmpty() && !oldTime.isEmpty() ? volume.with("status", status.with(field, oldTime)) : volume;
        }
        return time.isEmpty() || time.equals(oldTime) ? volume.with("status", status.with(field, now)) : volume;
    }

    /**
     * Fills the two forms of the data source from each other. A source of another kind than a claim or snapshot is
     * dropped from the older form, which did not support it.
     */
    private static JsonObject withDataSources(JsonObject claim, JsonObject old) {
        JsonObject spec = claim.object("spec");
        JsonObject before = old.object("spec");
        if (!before.has(REFERENCE) && !spec.string(REFERENCE, "namespace").isEmpty()) {
            spec = spec.without(REFERENCE); // other namespaces belong to a feature that is off by default
        }
        if (!before.has(SOURCE) && !before.has(REFERENCE) && !spec.has(REFERENCE) && !isCopyable(spec.object(SOURCE))) {
            spec = spec.without(SOURCE);
        }
        if (spec.has(SOURCE) && !spec.has(REFERENCE)) {
            spec = spec.with(REFERENCE, spec.object(SOURCE));
        } else if (spec.has(REFERENCE)
                && !spec.has(SOURCE)
                && spec.string(REFERENCE, "namespace").isEmpty()) {
            spec = spec.with(SOURCE, spec.object(REFERENCE).without("namespace"));
        }
        return spec.equals(claim.object("spec")) ? claim : claim.with("spec", spec);
    }

    private static boolean isCopyable(JsonObject source) {
        String group = source.string("apiGroup");
        return switch (source.string("kind")) {
            case "PersistentVolumeClaim" -> group.isEmpty();
            case "VolumeSnapshot" -> group.equals("snapshot.storage.k8s.io");
            default -> false;
        };
    }

    /** As upstream, the generation of a driver counts its changes, from nothing. */
    private static JsonObject counted(JsonObject driver, JsonObject old) {
        return driver.object("spec").equals(old.object("spec"))
                ? driver
                : Meta.with(driver, "generation", Meta.generation(old) + 1);
    }
}
