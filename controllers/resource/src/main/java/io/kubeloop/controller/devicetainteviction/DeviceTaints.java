/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.devicetainteviction;

import io.kubeloop.api.GenericObject;
import io.kubeloop.api.Time;
import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.core.NodeSpec.Taint;
import io.kubeloop.controller.eviction.Tolerations;
import io.kubeloop.json.tree.JsonObject;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Computes from the ResourceSlices when the pods of a claim must go. Thread-safe; does not block.
 *
 * @param slices returns the slices of a pool by {@link #pool}
 */
record DeviceTaints(Function<String, List<GenericObject>> slices) {

    /** Returns the key of the pool that a slice belongs to. */
    static String poolOf(GenericObject slice) {
        JsonObject spec = JsonObject.of(slice.unknownFields()).object("spec");
        return pool(spec.string("driver"), spec.string("pool", "name"));
    }

    /** Returns the keys of the pools that a claim has devices of. */
    static List<String> poolsOf(GenericObject claim) {
        return results(claim)
                .map(result -> pool(result.string("driver"), result.string("pool")))
                .distinct()
                .toList();
    }

    private static String pool(String driver, String name) {
        return driver + "/" + name;
    }

    private static Stream<JsonObject> results(GenericObject claim) {
        return JsonObject.of(claim.unknownFields())
                .array("status", "allocation", "devices", "results")
                .objects();
    }

    /** Returns the earliest time at which a device of the claim expires, or null if the claim tolerates all taints. */
    @Nullable
    Instant expiry(GenericObject claim) {
        return results(claim)
                .flatMap(result -> taints(result).map(taint -> expiry(result, taint)))
                .filter(Objects::nonNull)
                .min(Comparator.naturalOrder())
                .orElse(null);
    }

    /** Only the newest generation of a pool counts: the driver is replacing the other slices. */
    private Stream<JsonObject> taints(JsonObject result) {
        List<JsonObject> specs = slices.apply(pool(result.string("driver"), result.string("pool"))).stream()
                .map(slice -> JsonObject.of(slice.unknownFields()).object("spec"))
                .toList();
        long newest = specs.stream().mapToLong(DeviceTaints::generation).max().orElse(0);
        return specs.stream()
                .filter(spec -> generation(spec) == newest)
                .flatMap(spec -> spec.array("devices").objects())
                .filter(device -> device.string("name").equals(result.string("device")))
                .flatMap(device -> device.array("taints").objects())
                .filter(taint -> taint.string("effect").equals(Taint.NO_EXECUTE));
    }

    private static long generation(JsonObject spec) {
        return Objects.requireNonNullElse(spec.number("pool", "generation"), 0L);
    }

    /**
     * The tolerations of the allocation count, not those of the claim's spec. One without an effect does not match,
     * unlike a pod's.
     */
    private static @Nullable Instant expiry(JsonObject result, JsonObject taint) {
        Tolerations tolerations = new Tolerations(result.array("tolerations")
                .objects()
                .filter(toleration -> toleration.string("effect").equals(Taint.NO_EXECUTE))
                .toList());
        Taint plain = new Taint(taint.string("key"), taint.string("value"), taint.string("effect"), UnknownFields.NONE);
        String added = taint.string("timeAdded");
        Instant start = added.isEmpty() ? Instant.EPOCH : Time.parse(added).instant();
        OptionalLong seconds = tolerations.seconds(List.of(plain));
        return seconds.isEmpty() ? null : start.plusSeconds(seconds.getAsLong());
    }
}
