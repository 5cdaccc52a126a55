/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.json.usage;

import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonObject;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The resources that the kubelet has given to running containers, which differ from the spec while a pod is resized in
 * place (upstream: {@code component-helpers/resource}, {@code determineEffectiveRequests}).
 */
final class ContainerStatuses {

    private ContainerStatuses() {}

    /**
     * Returns the spec with the resources that count: of each container the larger of the desired and the actual
     * amounts. A resize that is infeasible counts with the actual amounts only.
     */
    static JsonObject specWithActual(JsonObject pod) {
        JsonObject spec = pod.object("spec");
        Map<String, JsonObject> statuses = new HashMap<>();
        for (String list : List.of("containerStatuses", "initContainerStatuses")) {
            pod.array("status", list)
                    .objects()
                    .filter(status -> status.has("resources"))
                    .forEach(status -> statuses.put(status.string("name"), status));
        }
        if (statuses.isEmpty()) {
            return spec;
        }
        boolean infeasible = pod.array("status", "conditions")
                .objects()
                .anyMatch(condition -> condition.string("type").equals("PodResizePending")
                        && condition.string("reason").equals("Infeasible"));
        JsonObject changed = spec;
        for (String list : List.of("containers", "initContainers")) {
            if (spec.has(list)) {
                changed = changed.with(
                        list,
                        JsonArray.of(spec.array(list)
                                .objects()
                                .map(container -> isResizable(list, container)
                                        ? effective(container, statuses.get(container.string("name")), infeasible)
                                        : container)
                                .toList()));
            }
        }
        return changed;
    }

    private static boolean isResizable(String list, JsonObject container) {
        return list.equals("containers") || container.string("restartPolicy").equals("Always");
    }

    private static JsonObject effective(JsonObject container, @Nullable JsonObject status, boolean infeasible) {
        if (status == null) {
            return container;
        }
        Amounts requests = PodAmounts.of(status, "requests").max(Amounts.read(status.object("allocatedResources")));
        Amounts limits = PodAmounts.of(status, "limits");
        if (!infeasible) {
            requests = requests.max(PodAmounts.of(container, "requests"));
            limits = limits.max(PodAmounts.of(container, "limits"));
        }
        return container
                .with(List.of("resources", "requests"), requests.json())
                .with(List.of("resources", "limits"), limits.json());
    }
}
