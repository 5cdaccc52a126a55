/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.strategy;

import static io.kubeloop.apiserver.rest.RestStrategy.UpdateStep.CHANGE;
import static io.kubeloop.apiserver.rest.RestStrategy.UpdateStep.METADATA;
import static io.kubeloop.apiserver.rest.RestStrategy.UpdateStep.METADATA_CHANGE;
import static io.kubeloop.apiserver.rest.RestStrategy.UpdateStep.OBJECT;

import io.kubeloop.apiserver.kinds.validation.DeclaredFormats;
import io.kubeloop.apiserver.kinds.validation.device.AdminAccessRules;
import io.kubeloop.apiserver.kinds.validation.device.ClaimStatusRules;
import io.kubeloop.apiserver.kinds.validation.device.DeviceClaimRules;
import io.kubeloop.apiserver.kinds.validation.device.DeviceTaintRules;
import io.kubeloop.apiserver.kinds.validation.device.ResourceSliceRules;
import io.kubeloop.apiserver.rest.RestStrategy.Origin;
import io.kubeloop.apiserver.rest.RestStrategy.Part;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonObject;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The kinds of resource.k8s.io (upstream: {@code pkg/registry/resource}). */
final class DeviceKinds {

    static final Map<String, KindStrategy.Entry> TABLE = Map.of(
            "deviceclasses.resource.k8s.io",
            KindStrategy.of("resource.v1.DeviceClass")
                    .updates(METADATA, METADATA_CHANGE, OBJECT)
                    .generation()
                    .with(Trait.RETURNS_DELETED_OBJECT)
                    .names(DeclaredFormats::objectName)
                    .check(DeviceClaimRules::deviceClass),
            "devicetaintrules.resource.k8s.io",
            KindStrategy.of("resource.v1.DeviceTaintRule")
                    .updates(METADATA_CHANGE, CHANGE)
                    .statusUpdates(METADATA_CHANGE, CHANGE)
                    .with(Trait.STATUS, Trait.KEEPS_METADATA_IN_STATUS)
                    .generation()
                    .with(Trait.REQUIRES_VERSION_ON_UPDATE, Trait.WITHOUT_STATUS_TABLE)
                    .timedBy("spec", "taint", "timeAdded")
                    .onWrite(DeviceKinds::withTaintTime)
                    .checkCreate(rule -> DeviceTaintRules.rule(rule, null))
                    .checkUpdate((rule, old, part) -> {
                        if (part == Part.STATUS) {
                            DeviceTaintRules.status(rule);
                        } else {
                            DeviceTaintRules.rule(rule, old);
                        }
                    }),
            "resourceclaims.resource.k8s.io",
            KindStrategy.of("resource.v1.ResourceClaim")
                    .updates(METADATA, METADATA_CHANGE, CHANGE)
                    .with(
                            Trait.STATUS,
                            Trait.WITHOUT_STATUS_TABLE,
                            Trait.KEEPS_METADATA_IN_STATUS,
                            Trait.RETURNS_DELETED_OBJECT)
                    .onUpdate((claim, old, part) ->
                            part == Part.STATUS ? ClaimStatusRules.withoutReleased(claim, old) : claim)
                    .checkIn(AdminAccessRules::claim)
                    .checkCreate(DeviceClaimRules::claim)
                    .checkUpdate((claim, old, part) -> {
                        if (part == Part.STATUS) {
                            ClaimStatusRules.update(claim, old);
                        } else {
                            DeviceClaimRules.claimUpdate(claim, old);
                        }
                    }),
            "resourceclaimtemplates.resource.k8s.io",
            KindStrategy.of("resource.v1.ResourceClaimTemplate")
                    .updates(METADATA, OBJECT, METADATA_CHANGE, CHANGE)
                    .with(Trait.RETURNS_DELETED_OBJECT)
                    .checkIn(AdminAccessRules::template)
                    .check(DeviceClaimRules::template)
                    .checkUpdate((template, old, part) -> DeviceClaimRules.templateUpdate(template, old)),
            "resourceslices.resource.k8s.io",
            KindStrategy.of("resource.v1.ResourceSlice")
                    .generation()
                    .with(Trait.RETURNS_DELETED_OBJECT)
                    .selectable("spec.nodeName", "spec.driver", "spec.pool.name")
                    .unsupportedField("field label not supported for resource.k8s.io/v1, Kind=ResourceSlice: %s")
                    .onWrite((slice, old, part, origin) -> withTaintTimes(slice, origin.now()))
                    .checkCreate(ResourceSliceRules::create)
                    .checkUpdate((slice, old, part) -> ResourceSliceRules.update(slice, old))
                    .warnings((slice, old, part) -> ResourceSliceRules.warnings(slice)));

    private DeviceKinds() {}

    /** Another effect begins now, unless the client sets another time. */
    private static JsonObject withTaintTime(JsonObject rule, @Nullable JsonObject old, Part part, Origin origin) {
        JsonObject taint = rule.object("spec", "taint");
        JsonObject before = old == null ? taint : old.object("spec", "taint");
        boolean isOutdated = !taint.string("effect").equals(before.string("effect"))
                && taint.string("timeAdded").equals(before.string("timeAdded"));
        return isOutdated ? rule.with(List.of("spec", "taint", "timeAdded"), origin.now()) : rule;
    }

    private static JsonObject withTaintTimes(JsonObject slice, String now) {
        return eachDevice(slice, device -> {
            List<JsonObject> taints = device.array("taints").objects().toList();
            return taints.isEmpty()
                    ? device
                    : device.with(
                            "taints",
                            JsonArray.of(taints.stream()
                                    .map(taint -> taint.has("timeAdded") ? taint : taint.with("timeAdded", now))
                                    .toList()));
        });
    }

    private static JsonObject eachDevice(JsonObject slice, UnaryOperator<JsonObject> change) {
        List<JsonObject> devices = slice.array("spec", "devices").objects().toList();
        return devices.isEmpty()
                ? slice
                : slice.with(
                        List.of("spec", "devices"),
                        JsonArray.of(devices.stream().map(change).toList()));
    }
}
