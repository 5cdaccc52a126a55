package io.kubeloop.transport.memory.registry;

import io.kubeloop.json.tree.JsonObject;
import java.util.List;
import java.util.Map;

/** Nodes (upstream: {@code pkg/registry/core/node}). A node may be created with its status. */
final class NodeStrategy implements RestStrategy {

    @Override
    public JsonObject prepareForCreate(JsonObject object) {
        return object;
    }

    @Override
    public Map<String, String> fields(JsonObject object) {
        return Map.of("spec.unschedulable", Boolean.toString(object.bool("spec", "unschedulable")));
    }

    @Override
    public List<String> fieldNames() {
        return List.of("spec.unschedulable");
    }

    @Override
    public boolean hasStatus() {
        return true;
    }
}
