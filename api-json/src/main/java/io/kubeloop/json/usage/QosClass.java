/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.json.usage;

import io.kubeloop.json.tree.JsonObject;
import java.util.List;
import java.util.Set;

/** The quality-of-service class of a pod (upstream: {@code pkg/apis/core/v1/helper/qos}). */
public final class QosClass {

    private static final Set<String> RESOURCES = Set.of("cpu", "memory");

    private QosClass() {}

    /**
     * Returns the class. A request of zero counts as no request. Amounts of the pod replace those of its containers.
     */
    public static String of(JsonObject spec) {
        List<JsonObject> containers = spec.has("resources")
                ? List.of(spec)
                : PodAmounts.containers(spec).toList();
        Amounts requests = sum(containers, "requests");
        Amounts limits = sum(containers, "limits");
        if (requests.isEmpty() && limits.isEmpty()) {
            return "BestEffort";
        }
        boolean eachIsLimited = containers.stream()
                .allMatch(container -> quantities(container, "limits").names().containsAll(RESOURCES));
        return eachIsLimited && requests.equals(limits) ? "Guaranteed" : "Burstable";
    }

    private static Amounts sum(List<JsonObject> containers, String which) {
        return containers.stream()
                .map(container -> quantities(container, which))
                .reduce(Amounts.NONE, Amounts::plus);
    }

    private static Amounts quantities(JsonObject container, String which) {
        return PodAmounts.of(container, which).only(RESOURCES::contains).beyond(Amounts.NONE);
    }
}
