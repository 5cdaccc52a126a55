/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.eviction;

import io.kubeloop.api.core.NodeSpec.Taint;
import io.kubeloop.api.core.PodSpec;
import io.kubeloop.json.tree.JsonObject;
import java.util.Collection;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The tolerations of a pod: the taints of a node that the pod tolerates, and how long (upstream: {@code
 * component-helpers/scheduling/corev1}). Immutable.
 *
 * @param entries the tolerations as they stand in the pod's spec
 */
public record Tolerations(List<JsonObject> entries) {

    /** Copies the entries. */
    public Tolerations {
        entries = List.copyOf(entries);
    }

    /** Reads the tolerations of a pod's spec. */
    public static Tolerations of(PodSpec spec) {
        return new Tolerations(JsonObject.of(spec.unknownFields())
                .array("tolerations")
                .objects()
                .toList());
    }

    /** Returns whether one of the tolerations matches the taint. O(tolerations). */
    public boolean tolerate(Taint taint) {
        return matching(taint) != null;
    }

    /**
     * Returns how many seconds the pod tolerates all of these taints: the shortest limit among the first toleration
     * that matches each taint.
     *
     * @param taints the taints of the pod's node that matter
     * @return 0 or less: not at all; empty: for an unlimited time. A taint that no toleration matches means 0
     */
    public OptionalLong seconds(Collection<Taint> taints) {
        OptionalLong shortest = OptionalLong.empty();
        for (Taint taint : taints) {
            JsonObject toleration = matching(taint);
            if (toleration == null) {
                return OptionalLong.of(0);
            }
            Long limit = toleration.number("tolerationSeconds");
            if (limit != null && (shortest.isEmpty() || limit < shortest.getAsLong())) {
                shortest = OptionalLong.of(Math.max(0, limit));
            }
        }
        return shortest;
    }

    private @Nullable JsonObject matching(Taint taint) {
        for (JsonObject toleration : entries) {
            if (matches(toleration, taint)) {
                return toleration;
            }
        }
        return null;
    }

    /** An empty effect matches all effects, and an empty key all keys. */
    private static boolean matches(JsonObject toleration, Taint taint) {
        String effect = toleration.string("effect");
        String key = toleration.string("key");
        if (!(effect.isEmpty() || effect.equals(taint.effect())) || !(key.isEmpty() || key.equals(taint.key()))) {
            return false;
        }
        return switch (toleration.string("operator")) {
            case "", "Equal" -> toleration.string("value").equals(taint.value());
            case "Exists" -> true;
            default -> false;
        };
    }
}
