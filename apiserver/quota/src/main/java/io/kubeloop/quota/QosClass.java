/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.quota;

import io.kubeloop.api.value.Quantity;
import io.kubeloop.json.tree.JsonObject;
import java.util.Set;
import java.util.stream.Stream;

/** The quality-of-service class of a pod (upstream: {@code pkg/apis/core/v1/helper/qos}). */
public final class QosClass {

    private static final Set<String> RESOURCES = Set.of("cpu", "memory");

    private QosClass() {}

    /**
     * Returns the class. A request of zero counts as no request. Amounts of the pod replace those of its containers.
     */
    public static String of(JsonObject spec) {
        return PodAmounts.areOfPod(spec)
                ? ofOne(spec)
                : common(PodAmounts.containers(spec).map(QosClass::ofOne));
    }

    private static String ofOne(JsonObject container) {
        Amounts requests = PodAmounts.of(container, "requests");
        Amounts limits = PodAmounts.of(container, "limits");
        return common(RESOURCES.stream().map(resource -> {
            Quantity requested = requests.byName().getOrDefault(resource, Quantity.ZERO);
            Quantity limited = limits.byName().getOrDefault(resource, Quantity.ZERO);
            return requested.compareTo(limited) != 0
                    ? "Burstable"
                    : limited.compareTo(Quantity.ZERO) == 0 ? "BestEffort" : "Guaranteed";
        }));
    }

    /** Returns the class that all have. */
    private static String common(Stream<String> classes) {
        return classes.reduce((one, other) -> one.equals(other) ? one : "Burstable")
                .orElse("BestEffort");
    }
}
