package io.kubeloop.apiserver.kinds.strategy;

import io.kubeloop.apiserver.machinery.FieldErrors;
import io.kubeloop.apiserver.machinery.RestStrategy;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonValue;

/**
 * The strategy of Leases (upstream: {@code pkg/registry/coordination/lease}). An update must contain the resource
 * version that it replaces.
 */
final class LeaseStrategy implements RestStrategy {

    @Override
    public void validate(JsonObject object, FieldErrors errors) {
        atLeast(object, "leaseDurationSeconds", 1, "must be greater than 0", errors);
        atLeast(object, "leaseTransitions", 0, "must be greater than or equal to 0", errors);
    }

    private static void atLeast(JsonObject object, String field, long least, String rule, FieldErrors errors) {
        JsonValue value = object.get("spec", field);
        Long number = object.number("spec", field);
        if (value != null && (number == null || number < least)) {
            errors.invalid("spec." + field, value, rule);
        }
    }

    @Override
    public boolean createsOnUpdate() {
        return true;
    }

    @Override
    public boolean requiresVersionOnUpdate() {
        return true;
    }
}
