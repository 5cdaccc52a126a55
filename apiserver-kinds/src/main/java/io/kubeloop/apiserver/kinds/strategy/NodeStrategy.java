package io.kubeloop.apiserver.kinds.strategy;

import io.kubeloop.apiserver.kinds.validation.NodeRules;
import io.kubeloop.apiserver.machinery.FieldErrors;
import io.kubeloop.apiserver.machinery.RestStrategy;
import io.kubeloop.apiserver.machinery.StatusParts;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonString;
import java.util.List;
import java.util.Map;

/** The strategy of Nodes (upstream: {@code pkg/registry/core/node}). A node may be created with its status. */
final class NodeStrategy implements RestStrategy {

    @Override
    public JsonObject defaults(JsonObject object) {
        JsonObject defaulted = object.has("spec") ? object.with("spec", ranges(object.object("spec"))) : object;
        JsonObject status = object.object("status");
        return status.has("capacity") && !status.has("allocatable")
                ? defaulted.with("status", status.with("allocatable", status.object("capacity")))
                : defaulted;
    }

    /**
     * {@code podCIDR} and the first of {@code podCIDRs} must be equal; if they differ, {@code podCIDR} wins,
     * because older clients write it.
     */
    private static JsonObject ranges(JsonObject spec) {
        String one = spec.string("podCIDR");
        List<String> all = spec.array("podCIDRs").strings().toList();
        if (!one.isEmpty() && (all.isEmpty() || !all.get(0).equals(one))) {
            return spec.with("podCIDRs", JsonArray.of(new JsonString(one)));
        }
        return all.isEmpty() ? spec : spec.with("podCIDR", all.get(0));
    }

    @Override
    public JsonObject prepareForCreate(JsonObject object) {
        return withoutConfiguration(object);
    }

    @Override
    public JsonObject prepareForUpdate(JsonObject object, JsonObject old, Part part) {
        return withoutConfiguration(StatusParts.keepOther(object, old, part));
    }

    /** Removes the obsolete configuration of kubelets through the API. */
    private static JsonObject withoutConfiguration(JsonObject object) {
        return object.without(List.of("spec", "configSource")).without(List.of("status", "config"));
    }

    @Override
    public void validateCreate(JsonObject object, FieldErrors errors) {
        NodeRules.check(object, errors);
    }

    @Override
    public void validateUpdate(JsonObject object, JsonObject old, Part part, FieldErrors errors) {
        if (part == Part.MAIN) {
            NodeRules.check(object, errors);
        }
        NodeRules.checkUpdate(object, old, errors);
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
