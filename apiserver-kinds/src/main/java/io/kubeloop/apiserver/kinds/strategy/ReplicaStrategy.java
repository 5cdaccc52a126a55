package io.kubeloop.apiserver.kinds.strategy;

import io.kubeloop.apiserver.kinds.validation.StatusCounts;
import io.kubeloop.apiserver.machinery.Defaults;
import io.kubeloop.apiserver.machinery.FieldErrors;
import io.kubeloop.apiserver.machinery.RestStrategy;
import io.kubeloop.json.tree.JsonObject;
import java.util.List;
import java.util.Map;

/** The common strategy of ReplicaSets and ReplicationControllers: the desired and the observed number of replicas. */
interface ReplicaStrategy extends RestStrategy {

    /** One replica by default; a status always contains its count. */
    Defaults REPLICA_DEFAULTS = Defaults.parse("+spec.replicas = 1\n+status.replicas = 0");

    @Override
    default void validateUpdate(JsonObject object, JsonObject old, Part part, FieldErrors errors) {
        if (part == Part.STATUS) {
            new StatusCounts(object.object("status"), errors)
                    .nonNegative(
                            "replicas",
                            "fullyLabeledReplicas",
                            "readyReplicas",
                            "availableReplicas",
                            "observedGeneration",
                            "terminatingReplicas")
                    .atMostReplicas("fullyLabeledReplicas", "readyReplicas", "availableReplicas");
        }
    }

    @Override
    default JsonObject prepareForCreate(JsonObject object) {
        return object.with("status", JsonObject.EMPTY.with("replicas", 0));
    }

    @Override
    default Map<String, String> fields(JsonObject object) {
        Long replicas = object.number("status", "replicas");
        return Map.of("status.replicas", Long.toString(replicas == null ? 0 : replicas));
    }

    @Override
    default List<String> fieldNames() {
        return List.of("status.replicas");
    }

    @Override
    default boolean hasStatus() {
        return true;
    }

    @Override
    default boolean hasGeneration() {
        return true;
    }
}
