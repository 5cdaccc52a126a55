/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.defaults;

import io.kubeloop.json.schema.StructSchema;
import io.kubeloop.json.schema.StructSchema.Field;
import io.kubeloop.json.schema.TypeSchema;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonNull;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonValue;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The fields that belong to features which are off by default in the release that this server follows. A write loses
 * them, unless the object before it has a field of the same feature (upstream: the functions {@code dropDisabled...} of
 * the strategies).
 *
 * <p>The walk follows the schema, and skips types that contain none of the fields. Its cost is linear in the size of
 * the rest. Thread-safe.
 */
public final class DisabledFields {

    /** A line is the gate of a feature, followed by its fields: a type and the names of its members. */
    private static final String TABLE = """
            AtomicWriteVolumeUserFields core.v1.ConfigMapVolumeSource.defaultUser
            AtomicWriteVolumeUserFields core.v1.SecretVolumeSource.defaultUser
            AtomicWriteVolumeUserFields core.v1.DownwardAPIVolumeSource.defaultUser
            AtomicWriteVolumeUserFields core.v1.ProjectedVolumeSource.defaultUser
            AtomicWriteVolumeUserFields core.v1.KeyToPath.user
            AtomicWriteVolumeUserFields core.v1.DownwardAPIVolumeFile.user
            AtomicWriteVolumeUserFields core.v1.ServiceAccountTokenProjection.user
            AtomicWriteVolumeUserFields core.v1.ClusterTrustBundleProjection.user
            AtomicWriteVolumeUserFields core.v1.PodCertificateProjection.user
            CSIVolumeHealth core.v1.PersistentVolumeClaimStatus.healthStatus
            CSIVolumeHealth core.v1.PodStatus.volumeHealth
            CSIVolumeHealth storage.v1.CSINodeStatus.storageHealth
            ContainerStopSignals core.v1.Lifecycle.stopSignal
            CoordinatedLeaderElection coordination.v1.LeaseSpec.strategy
            CoordinatedLeaderElection coordination.v1.LeaseSpec.preferredHolder
            DRADerivedAttributes resource.v1.ExactDeviceRequest.derivedAttributes
            DRADerivedAttributes resource.v1.DeviceSubRequest.derivedAttributes
            DRADeviceCompatibilityGroups resource.v1.DeviceCounterConsumption.compatibilityGroups
            DRAListTypeAttributes resource.v1.DeviceAttribute.bools
            DRAListTypeAttributes resource.v1.DeviceAttribute.ints
            DRAListTypeAttributes resource.v1.DeviceAttribute.strings
            DRAListTypeAttributes resource.v1.DeviceAttribute.versions
            DRANodeAllocatableResources resource.v1.Device.nodeAllocatableResources
            DRANodeAllocatableResources core.v1.PodStatus.nodeAllocatableResourceClaimStatuses
            DRAOptionalNodeOperations resource.v1.ResourceSliceSpec.skipNodeOperations
            DRAOptionalNodeOperations resource.v1.DeviceRequestAllocationResult.skipNodeOperations
            DRAPartitionableDevicesType resource.v1.ResourceSliceSpec.partitionTypeAttribute
            EmptyDirVolumeMode core.v1.EmptyDirVolumeSource.mode
            EvictionRequestAPI core.v1.PodSpec.evictionResponders
            GRPCContainerProbeTLS core.v1.GRPCAction.mode
            GenericWorkload core.v1.PodSpec.schedulingGroup
            H2CContainerProbe core.v1.HTTPGetAction.protocol
            ImageVolumeWithDigest core.v1.VolumeMountStatus.volumeStatus
            InPlacePodVerticalScalingSchedulerPreemption core.v1.NodeSpec.podPreemptionPolicy
            VolumeBindMountOptions core.v1.VolumeMount.bindMountOptions
            WorkloadWithJob batch.v1.JobSpec.scheduling
            """;

    /** The gates of the fields, by {@code type.field}. */
    private static final Map<String, String> GATES = read();

    /** The results of the search for the fields in a type, by the identity of its schema. */
    private static final Map<StructSchema, Boolean> CONTAINERS = new ConcurrentHashMap<>();

    private DisabledFields() {}

    private static Map<String, String> read() {
        Map<String, String> gates = new HashMap<>();
        TABLE.lines().forEach(line -> gates.put(line.substring(line.indexOf(' ') + 1), line.split(" ", 2)[0]));
        return Map.copyOf(gates);
    }

    /** Returns the object without the fields of each feature that the object before does not use. */
    public static JsonObject without(StructSchema type, JsonObject object, @Nullable JsonObject old) {
        if (!contains(type) || !walk(type, object, gate -> true)) {
            return object;
        }
        Set<String> used = new HashSet<>();
        if (old != null) {
            walk(type, old, gate -> {
                used.add(gate);
                return false;
            });
        }
        return struct(type, object, used);
    }

    private static boolean contains(StructSchema type) {
        Boolean known = CONTAINERS.get(type);
        if (known == null) {
            known = contains(type, new HashSet<>());
            CONTAINERS.put(type, known);
        }
        return known;
    }

    private static boolean contains(TypeSchema type, Set<StructSchema> seen) {
        if (type instanceof TypeSchema.ListOf list) {
            return contains(list.elements(), seen);
        }
        if (type instanceof TypeSchema.MapOf map) {
            return contains(map.values(), seen);
        }
        return type instanceof StructSchema struct
                && seen.add(struct)
                && struct.fields().values().stream()
                        .anyMatch(field -> gate(struct, field) != null || contains(field.type(), seen));
    }

    private static @Nullable String gate(StructSchema type, Field field) {
        return GATES.get(type.name() + "." + field.name());
    }

    /** Returns whether the visitor of the gates returned true, which ends the walk. */
    private static boolean walk(TypeSchema type, JsonValue value, Predicate<String> visitor) {
        if (type instanceof TypeSchema.ListOf list && value instanceof JsonArray array) {
            return list.elements() instanceof StructSchema
                    && array.elements().stream().anyMatch(element -> walk(list.elements(), element, visitor));
        }
        if (type instanceof TypeSchema.MapOf map && value instanceof JsonObject object) {
            return map.values() instanceof StructSchema
                    && object.members().values().stream().anyMatch(element -> walk(map.values(), element, visitor));
        }
        if (!(type instanceof StructSchema struct) || !(value instanceof JsonObject object) || !contains(struct)) {
            return false;
        }
        for (Map.Entry<String, JsonValue> member : object.members().entrySet()) {
            Field field = struct.field(member.getKey());
            if (field == null || member.getValue() == JsonNull.NULL) {
                continue;
            }
            String gate = gate(struct, field);
            boolean ends = gate == null ? walk(field.type(), member.getValue(), visitor) : visitor.test(gate);
            if (ends) {
                return true;
            }
        }
        return false;
    }

    private static JsonObject struct(StructSchema type, JsonObject object, Set<String> used) {
        Map<String, JsonValue> kept = new LinkedHashMap<>();
        object.members().forEach((name, value) -> {
            Field field = type.field(name);
            String gate = field == null ? null : gate(type, field);
            if (field == null) {
                kept.put(name, value);
            } else if (gate == null || used.contains(gate)) {
                JsonValue rest = value(field.type(), value, used);
                if (rest.equals(value) || !isNothing(field.type(), rest)) {
                    kept.put(name, rest);
                }
            }
        });
        return JsonObject.of(kept);
    }

    /** A container that specified nothing but a stop signal has no lifecycle without it. */
    private static boolean isNothing(TypeSchema type, JsonValue rest) {
        return rest.equals(JsonObject.EMPTY)
                && type instanceof StructSchema struct
                && struct.name().equals("core.v1.Lifecycle");
    }

    private static JsonValue value(TypeSchema type, JsonValue value, Set<String> used) {
        if (type instanceof TypeSchema.ListOf list && value instanceof JsonArray array) {
            List<JsonValue> elements = new ArrayList<>(array.size());
            array.forEach(element -> elements.add(value(list.elements(), element, used)));
            return JsonArray.of(elements);
        }
        if (type instanceof TypeSchema.MapOf map && value instanceof JsonObject object) {
            Map<String, JsonValue> values = new LinkedHashMap<>();
            object.members().forEach((key, element) -> values.put(key, value(map.values(), element, used)));
            return JsonObject.of(values);
        }
        return type instanceof StructSchema struct && value instanceof JsonObject object && contains(struct)
                ? struct(struct, object, used)
                : value;
    }
}
