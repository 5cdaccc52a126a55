/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.strategy;

import static io.kubeloop.apiserver.rest.RestStrategy.UpdateStep.CHANGE;
import static io.kubeloop.apiserver.rest.RestStrategy.UpdateStep.METADATA;
import static io.kubeloop.apiserver.rest.RestStrategy.UpdateStep.METADATA_CHANGE;
import static io.kubeloop.apiserver.rest.RestStrategy.UpdateStep.OBJECT;

import io.kubeloop.api.NameValidation;
import io.kubeloop.apiserver.kinds.validation.device.ClaimStatusRules;
import io.kubeloop.apiserver.kinds.validation.device.DeviceClaimRules;
import io.kubeloop.apiserver.kinds.validation.device.ResourceSliceRules;
import io.kubeloop.apiserver.rest.RestStrategy.Part;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonObject;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/** The kinds of resource.k8s.io (upstream: {@code pkg/registry/resource}). */
final class DeviceKinds {

    /** The forms of an attribute that has several values. */
    private static final List<String> VALUE_LISTS = List.of("bools", "ints", "strings", "versions");

    static final Map<String, KindStrategy.Entry> TABLE = Map.of(
            "deviceclasses.resource.k8s.io",
            KindStrategy.of("resource.v1.DeviceClass")
                    .updates(METADATA, METADATA_CHANGE, OBJECT)
                    .generation()
                    .returnsDeletedObject()
                    .names(DeviceKinds::className)
                    .check(DeviceClaimRules::deviceClass),
            "resourceclaims.resource.k8s.io",
            KindStrategy.of("resource.v1.ResourceClaim")
                    .updates(METADATA, METADATA_CHANGE, CHANGE)
                    .status()
                    .keepsMetadataInStatus()
                    .returnsDeletedObject()
                    .onUpdate((claim, old, part) ->
                            part == Part.STATUS ? ClaimStatusRules.withoutReleased(claim, old) : claim)
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
                    .returnsDeletedObject()
                    .check(DeviceClaimRules::template)
                    .checkUpdate((template, old, part) -> DeviceClaimRules.templateUpdate(template, old)),
            "resourceslices.resource.k8s.io",
            KindStrategy.of("resource.v1.ResourceSlice")
                    .generation()
                    .returnsDeletedObject()
                    .selectable("spec.nodeName", "spec.driver")
                    .unsupportedField("field label not supported for resource.k8s.io/v1, Kind=ResourceSlice: %s")
                    .onWrite((slice, old, part, origin) -> withTaintTimes(slice, origin.now()))
                    .onCreate(DeviceKinds::withoutAlphaFields)
                    .onUpdate((slice, old, part) -> withoutAlphaFields(slice))
                    .checkCreate(ResourceSliceRules::create)
                    .checkUpdate((slice, old, part) -> ResourceSliceRules.update(slice, old))
                    .warnings((slice, old, part) -> ResourceSliceRules.warnings(slice)));

    private DeviceKinds() {}

    /** As upstream, the prefix of a generated name is not checked, and the length counts bytes. */
    private static List<String> className(String name, boolean isPrefix) {
        return isPrefix
                ? List.of()
                : NameValidation.dns1123Subdomain(name).stream()
                        .map(problem -> problem.replace("253 characters", "253 bytes"))
                        .toList();
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

    /** Removes fields that belong to features that are off by default. */
    private static JsonObject withoutAlphaFields(JsonObject slice) {
        return eachDevice(slice, device -> {
            JsonObject result = device.without("nodeAllocatableResourceMappings");
            for (String name : device.object("attributes").members().keySet()) {
                for (String list : VALUE_LISTS) {
                    result = result.without(List.of("attributes", name, list));
                }
            }
            return result;
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
