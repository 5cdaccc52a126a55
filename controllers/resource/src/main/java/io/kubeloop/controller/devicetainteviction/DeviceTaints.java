/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.devicetainteviction;

import io.kubeloop.api.GenericObject;
import io.kubeloop.api.Time;
import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.core.NodeSpec.Taint;
import io.kubeloop.controller.eviction.Tolerations;
import io.kubeloop.json.tree.JsonObject;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Computes from ResourceSlices and DeviceTaintRules when the pods of a claim must go. Thread-safe; does not block.
 *
 * @param slices returns the slices of a pool by {@link #pool}
 * @param rules returns the rules
 */
record DeviceTaints(Function<String, List<GenericObject>> slices, Supplier<List<GenericObject>> rules) {

    /**
     * The end of a pod on a device.
     *
     * @param when the earliest time at which a taint is no longer tolerated
     * @param rules the names of the rules that have added such a taint, also a later one
     */
    record Expiry(Instant when, Set<String> rules) {

        /** Returns the earlier time, and all rules. */
        Expiry and(Expiry other) {
            Set<String> all = new TreeSet<>(rules);
            all.addAll(other.rules);
            return new Expiry(when.isBefore(other.when) ? when : other.when, all);
        }
    }

    /** Returns a copy with other rules. */
    DeviceTaints with(List<GenericObject> others) {
        return new DeviceTaints(slices, () -> others);
    }

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

    /** Returns when the first device of the claim expires, or null if the claim tolerates all taints. */
    @Nullable
    Expiry expiry(GenericObject claim) {
        List<GenericObject> strict = rules.get().stream()
                .filter(rule -> rule.string("spec", "taint", "effect").equals(Taint.NO_EXECUTE))
                .toList();
        return results(claim)
                .flatMap(result -> Stream.concat(
                        taints(result).map(taint -> expiry(result, taint, Set.of())),
                        strict.stream()
                                .filter(rule -> selects(rule, result))
                                .map(rule -> expiry(
                                        result,
                                        JsonObject.of(rule.unknownFields()).object("spec", "taint"),
                                        Set.of(rule.metadata().name())))))
                .filter(Objects::nonNull)
                .reduce(Expiry::and)
                .orElse(null);
    }

    /** A rule without a selector selects nothing; a member of the selector that is absent selects everything. */
    private static boolean selects(GenericObject rule, JsonObject device) {
        JsonObject spec = JsonObject.of(rule.unknownFields()).object("spec");
        JsonObject selector = spec.object("deviceSelector");
        return spec.has("deviceSelector")
                && List.of("driver", "pool", "device").stream()
                        .allMatch(member ->
                                !selector.has(member) || selector.string(member).equals(device.string(member)));
    }

    /** Returns the number of devices of a slice that a rule selects. */
    static long selected(GenericObject rule, GenericObject slice) {
        JsonObject spec = JsonObject.of(slice.unknownFields()).object("spec");
        JsonObject pool =
                JsonObject.EMPTY.with("driver", spec.string("driver")).with("pool", spec.string("pool", "name"));
        return spec.array("devices")
                .objects()
                .filter(device -> selects(rule, pool.with("device", device.string("name"))))
                .count();
    }

    /** Returns the number of allocated devices of a claim that a rule selects. */
    static long allocated(GenericObject rule, GenericObject claim) {
        return results(claim).filter(result -> selects(rule, result)).count();
    }

    /** Returns whether a slice is of the newest generation of its pool. */
    boolean isNewest(GenericObject slice) {
        long own = generation(JsonObject.of(slice.unknownFields()).object("spec"));
        return slices.apply(poolOf(slice)).stream()
                .noneMatch(
                        other -> generation(JsonObject.of(other.unknownFields()).object("spec")) > own);
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
    private static @Nullable Expiry expiry(JsonObject result, JsonObject taint, Set<String> rules) {
        Tolerations tolerations = new Tolerations(result.array("tolerations")
                .objects()
                .filter(toleration -> toleration.string("effect").equals(Taint.NO_EXECUTE))
                .toList());
        Taint plain = new Taint(taint.string("key"), taint.string("value"), taint.string("effect"), UnknownFields.NONE);
        String added = taint.string("timeAdded");
        Instant start = added.isEmpty() ? Instant.EPOCH : Time.parse(added).instant();
        OptionalLong seconds = tolerations.seconds(List.of(plain));
        return seconds.isEmpty() ? null : new Expiry(start.plusSeconds(seconds.getAsLong()), rules);
    }
}
