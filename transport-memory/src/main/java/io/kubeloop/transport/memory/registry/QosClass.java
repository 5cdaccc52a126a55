package io.kubeloop.transport.memory.registry;

import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonValue;
import java.util.List;
import java.util.stream.Stream;

/** How well a pod is served when a node runs short (upstream: {@code pkg/apis/core/v1/helper/qos}). */
final class QosClass {

    private static final List<String> RESOURCES = List.of("cpu", "memory");

    private QosClass() {}

    static String of(JsonObject spec) {
        List<JsonObject> containers = Stream.concat(
                        spec.array("containers").objects(),
                        spec.array("initContainers").objects())
                .map(container -> container.object("resources"))
                .toList();
        if (containers.stream().noneMatch(QosClass::asksForAnything)) {
            return "BestEffort";
        }
        return containers.stream().allMatch(QosClass::isGuaranteed) ? "Guaranteed" : "Burstable";
    }

    private static boolean asksForAnything(JsonObject resources) {
        return RESOURCES.stream()
                .anyMatch(name -> resources.get("requests", name) != null || resources.get("limits", name) != null);
    }

    /** Limits for everything, and requests that are the same: what is left out of the requests is the limit. */
    private static boolean isGuaranteed(JsonObject resources) {
        return RESOURCES.stream().allMatch(name -> {
            JsonValue limit = resources.get("limits", name);
            JsonValue request = resources.get("requests", name);
            return limit != null && (request == null || request.equals(limit));
        });
    }
}
