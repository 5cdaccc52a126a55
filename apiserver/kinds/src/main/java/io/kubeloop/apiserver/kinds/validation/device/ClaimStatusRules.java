/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.validation.device;

import io.kubeloop.api.NameValidation;
import io.kubeloop.apiserver.fielderrors.FieldCursor;
import io.kubeloop.apiserver.kinds.validation.DeclaredFormats;
import io.kubeloop.apiserver.kinds.validation.IpRange;
import io.kubeloop.apiserver.kinds.validation.SchedulingRules;
import io.kubeloop.apiserver.kinds.validation.VolumeSourceRules;
import io.kubeloop.apiserver.kinds.validation.workload.DisruptionRules;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonNull;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonValue;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Validation of the status of resource claims (upstream: {@code pkg/apis/resource/validation}). */
public final class ClaimStatusRules {

    private static final int MAX_CONSUMERS = 256;
    private static final int MAX_RESULTS = 32;
    private static final int MAX_CONFIGURATIONS = 64;
    private static final int MAX_CONDITIONS = 8;
    private static final int MAX_DATA = 10 * 1024;
    private static final int MAX_ADDRESSES = 16;
    private static final int MAX_INTERFACE_NAME = 256;
    private static final int MAX_HARDWARE_ADDRESS = 128;

    private ClaimStatusRules() {}

    /** Validates a change of the status of a claim. */
    public static void update(FieldCursor claim, FieldCursor old) {
        FieldCursor status = claim.at("status");
        FieldCursor consumers = status.at("reservedFor");
        FieldCursor allocation = status.at("allocation");
        FieldCursor before = old.at("status", "allocation");
        if (allocation.isSet() && before.isSet() && !allocation.isSameAs(before)) {
            allocation.holding(null).declared().invalid("field cannot be modified once set");
        }
        DeviceFields.unique(
                consumers,
                MAX_CONSUMERS,
                consumer -> List.of("resource", "name", "uid")
                        .forEach(field -> consumer.at(field).require()),
                "uid");
        Set<String> allocated = allocation.at("devices", "results").items().stream()
                .map(ClaimStatusRules::identity)
                .collect(Collectors.toSet());
        DeviceFields.unique(
                withConditions(status.at("devices")),
                Integer.MAX_VALUE,
                device -> device(device, allocated),
                "driver",
                "pool",
                "device",
                "shareID");
        if (!consumers.isEmpty() && !allocation.isSet()) {
            consumers.forbidden("may not be specified when `allocated` is not set");
        } else if (!consumers.isEmpty()
                && claim.at("metadata", "deletionTimestamp").isSet()) {
            Set<JsonValue> known = new HashSet<>();
            old.at("status", "reservedFor").array().forEach(known::add);
            if (consumers.items().stream().anyMatch(consumer -> !known.contains(consumer.value()))) {
                consumers.forbidden("new entries may not be added while `deallocationRequested` or"
                        + " `deletionTimestamp` are set");
            }
        }
        if (allocation.isSet() && !before.isSet()) {
            allocation(allocation, DeviceClaimRules.requestNames(claim.at("spec", "devices")));
        }
    }

    /** Returns the claim without the status of devices that are no longer allocated. */
    public static JsonObject withoutReleased(JsonObject claim, JsonObject old) {
        Set<String> released = identities(old);
        released.removeAll(identities(claim));
        List<JsonObject> devices = claim.array("status", "devices").objects().toList();
        List<JsonObject> kept = devices.stream()
                .filter(device -> !released.contains(identity(device)))
                .toList();
        return kept.size() == devices.size() ? claim : claim.with(List.of("status", "devices"), JsonArray.of(kept));
    }

    private static Set<String> identities(JsonObject claim) {
        return claim.array("status", "allocation", "devices", "results")
                .objects()
                .map(ClaimStatusRules::identity)
                .collect(Collectors.toCollection(HashSet::new));
    }

    private static String identity(FieldCursor device) {
        return identity(device.object());
    }

    private static String identity(JsonObject device) {
        String share = device.string("shareID");
        return device.string("driver") + "/" + device.string("pool") + "/" + device.string("device")
                + (share.isEmpty() ? "" : "/" + share);
    }

    /** The member that upstream's encoder does not omit; messages show it. */
    private static FieldCursor withConditions(FieldCursor devices) {
        return devices.holding(JsonArray.of(devices.array()
                .objects()
                .map(device -> device.has("conditions") ? device : device.with("conditions", JsonNull.NULL))
                .toList()));
    }

    private static JsonObject shown(FieldCursor device) {
        return JsonObject.builder()
                .put("Driver", device.at("driver").text())
                .put("Pool", device.at("pool").text())
                .put("Device", device.at("device").text())
                .put("ShareID", device.at("shareID").text())
                .build();
    }

    private static void allocation(FieldCursor allocation, Map<String, Set<String>> names) {
        FieldCursor devices = allocation.at("devices");
        DeviceFields.list(devices.at("results"), MAX_RESULTS, result -> {
            DeviceClaimRules.requestReference(result.at("request"), names);
            DeclaredFormats.driverName(result.at("driver"));
            DeclaredFormats.poolName(result.at("pool"));
            result.at("device").follows(NameValidation::dns1123Label);
            DeviceFields.bindingConditions(result);
            result.at("shareID").ifSet(DeclaredFormats::uuid);
        });
        DeviceFields.list(devices.at("config"), MAX_CONFIGURATIONS, config -> {
            config.at("source").declared().requireOneOf(List.of("FromClaim", "FromClass"));
            DeviceClaimRules.requestReferences(config.at("requests"), names);
            DeviceFields.configuration(config);
        });
        allocation.at("nodeSelector").ifSet(SchedulingRules::nodeSelector);
    }

    private static void device(FieldCursor device, Set<String> allocated) {
        VolumeSourceRules.driverName(device.at("driver"));
        DeviceFields.poolName(device.at("pool"));
        device.at("device").follows(NameValidation::dns1123Label);
        device.at("shareID").ifSet(DeclaredFormats::uuid);
        if (!allocated.contains(identity(device))) {
            device.holding(shown(device)).invalid("must be an allocated device in the claim");
        }
        FieldCursor conditions = device.at("conditions");
        conditions.atMost(MAX_CONDITIONS);
        DisruptionRules.conditions(conditions);
        device.at("data").ifSet(data -> DeviceFields.raw(data, MAX_DATA));
        FieldCursor network = device.at("networkData");
        atMost(network.at("interfaceName"), MAX_INTERFACE_NAME);
        atMost(network.at("hardwareAddress"), MAX_HARDWARE_ADDRESS);
        DeviceFields.unique(network.at("ips"), MAX_ADDRESSES, ClaimStatusRules::interfaceAddress);
    }

    private static void atMost(FieldCursor text, int max) {
        if (text.text().getBytes(StandardCharsets.UTF_8).length > max) {
            text.declared().errors().tooLong(text.path(), max);
        }
    }

    private static void interfaceAddress(FieldCursor address) {
        IpRange range = IpRange.parse(address.text());
        if (range == null) {
            address.holdingText().invalid("must be a valid address in CIDR form, (e.g. 10.9.8.7/24 or 2001:db8::1/64)");
            return;
        }
        String canonical = range.address().canonical() + "/" + range.prefix();
        if (!canonical.equals(address.text())) {
            address.invalid("must be in canonical form (\"" + canonical + "\")");
        }
    }
}
