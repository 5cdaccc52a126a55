package io.kubeloop.apiserver.kinds.validation;

import io.kubeloop.apiserver.machinery.FieldErrors;
import io.kubeloop.json.tree.JsonNumber;
import io.kubeloop.json.tree.JsonObject;

/** Validation of the pod counts in the status that a controller reports. Confined to the thread that validates. */
public final class StatusCounts {

    private final JsonObject status;
    private final FieldErrors errors;

    /** Creates the validation of a status. */
    public StatusCounts(JsonObject status, FieldErrors errors) {
        this.status = status;
        this.errors = errors;
    }

    /** Adds an error for each negative count. */
    public StatusCounts nonNegative(String... fields) {
        for (String field : fields) {
            errors.nonNegative("status." + field, status.get(field));
        }
        return this;
    }

    /**
     * Checks that each of these counts is at most the number of replicas, and that no more replicas are available
     * than ready.
     */
    public StatusCounts atMostReplicas(String... fields) {
        for (String field : fields) {
            atMost(field, count("replicas"), "status.replicas");
        }
        atMost("availableReplicas", count("readyReplicas"), "readyReplicas");
        return this;
    }

    private void atMost(String field, long most, String bound) {
        long count = count(field);
        if (count > most) {
            errors.invalid("status." + field, JsonNumber.of(count), "cannot be greater than " + bound);
        }
    }

    private long count(String field) {
        Long number = status.number(field);
        return number == null ? 0 : number;
    }
}
