/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.volume;

import io.kubeloop.api.Time;
import io.kubeloop.api.client.ResourceClient;
import io.kubeloop.api.core.PersistentVolumeClaim;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonObject;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The condition {@code Unused} of bound claims: since when no pod names the claim (upstream: {@code
 * PersistentVolumeClaimUnusedSinceTime}). Immutable; as thread-safe as its parts. {@link #update} blocks.
 *
 * @param client writes the status of claims
 * @param clock the time of day
 */
record UnusedCondition(ResourceClient<PersistentVolumeClaim> client, Clock clock) {

    private static final String TYPE = "Unused";

    /** Returns whether a claim has no such condition. */
    static boolean isMissing(PersistentVolumeClaim claim) {
        return of(status(claim)).isEmpty();
    }

    /** Returns whether a claim gets the condition: the volume controller has bound it, and nobody has deleted it. */
    static boolean appliesTo(PersistentVolumeClaim claim) {
        return !claim.metadata().isDeleting() && status(claim).string("phase").equals("Bound");
    }

    /** Writes the condition, unless it shows the state already. */
    void update(PersistentVolumeClaim claim, boolean isUsed) {
        JsonObject status = status(claim);
        Optional<JsonObject> old = of(status);
        String value = isUsed ? "False" : "True";
        if (old.isPresent() && old.get().string("status").equals("True") == value.equals("True")) {
            return;
        }
        JsonObject condition = JsonObject.EMPTY
                .with("type", TYPE)
                .with("status", value)
                .with("lastTransitionTime", new Time(clock.instant()).toString())
                .with("reason", isUsed ? "PodUsingPVC" : "NoPodsUsingPVC")
                .with(
                        "message",
                        isUsed
                                ? "A pod is currently referencing this PVC"
                                : "No pods are currently referencing this PVC");
        List<JsonObject> conditions = status.array("conditions").objects().toList();
        Stream<JsonObject> changed = old.isEmpty()
                ? Stream.concat(conditions.stream(), Stream.of(condition))
                : conditions.stream().map(each -> isUnused(each) ? condition : each);
        client.updateStatus(claim.withUnknownFields(JsonObject.of(claim.unknownFields())
                .with("status", status.with("conditions", JsonArray.of(changed.toList())))
                .toUnknownFields()));
    }

    private static JsonObject status(PersistentVolumeClaim claim) {
        return JsonObject.of(claim.unknownFields()).object("status");
    }

    private static Optional<JsonObject> of(JsonObject status) {
        return status.array("conditions")
                .objects()
                .filter(UnusedCondition::isUnused)
                .findFirst();
    }

    private static boolean isUnused(JsonObject condition) {
        return condition.string("type").equals(TYPE);
    }
}
