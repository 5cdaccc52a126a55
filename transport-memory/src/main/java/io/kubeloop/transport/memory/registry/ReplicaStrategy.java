package io.kubeloop.transport.memory.registry;

import io.kubeloop.json.tree.JsonNumber;
import io.kubeloop.json.tree.JsonObject;
import java.util.List;
import java.util.Map;

/** What ReplicaSets and ReplicationControllers have in common: a number of replicas, wanted and counted. */
interface ReplicaStrategy extends RestStrategy {

    /** One replica unless said otherwise; a status always has a count. */
    Defaults REPLICA_DEFAULTS = Defaults.parse("+spec.replicas = 1\n+status.replicas = 0");

    @Override
    default void validateUpdate(JsonObject object, JsonObject old, Part part, FieldErrors errors) {
        if (part == Part.STATUS) {
            status(object.object("status"), errors);
        }
    }

    private static void status(JsonObject status, FieldErrors errors) {
        long replicas = count(status, "replicas", errors);
        long labeled = count(status, "fullyLabeledReplicas", errors);
        long ready = count(status, "readyReplicas", errors);
        long available = count(status, "availableReplicas", errors);
        atMost("fullyLabeledReplicas", labeled, replicas, "status.replicas", errors);
        atMost("readyReplicas", ready, replicas, "status.replicas", errors);
        atMost("availableReplicas", available, replicas, "status.replicas", errors);
        atMost("availableReplicas", available, ready, "readyReplicas", errors);
    }

    private static long count(JsonObject status, String field, FieldErrors errors) {
        Long number = status.number(field);
        if (number != null && number < 0) {
            errors.invalid("status." + field, JsonNumber.of(number), "must be greater than or equal to 0");
        }
        return number == null ? 0 : number;
    }

    private static void atMost(String field, long count, long most, String bound, FieldErrors errors) {
        if (count > most) {
            errors.invalid("status." + field, JsonNumber.of(count), "cannot be greater than " + bound);
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
