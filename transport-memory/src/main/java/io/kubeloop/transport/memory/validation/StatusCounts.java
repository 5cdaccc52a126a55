package io.kubeloop.transport.memory.validation;

import io.kubeloop.json.tree.JsonNumber;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.transport.memory.machinery.FieldErrors;

/** Checks the numbers that a controller reports of its pods, which cannot be just any. Confined to the thread that validates. */
public final class StatusCounts {

    private final JsonObject status;
    private final FieldErrors errors;

    /** Checks this status. */
    public StatusCounts(JsonObject status, FieldErrors errors) {
        this.status = status;
        this.errors = errors;
    }

    /** Complains about counts below zero. */
    public StatusCounts nonNegative(String... fields) {
        for (String field : fields) {
            errors.nonNegative("status." + field, status.get(field));
        }
        return this;
    }

    /** Each of these is at most the number of all pods, and no more pods can be available than are ready. */
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
