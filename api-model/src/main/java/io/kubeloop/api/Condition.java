/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api;

import io.soabase.recordbuilder.core.RecordBuilder;
import org.jspecify.annotations.Nullable;

/**
 * One aspect of an object's state (upstream: {@code metav1.Condition}). ReplicaSets and ReplicationControllers use it
 * too; their conditions have a subset of these fields.
 *
 * @param type such as {@code ReplicaFailure}
 * @param status {@code True}, {@code False} or {@code Unknown}
 * @param observedGeneration the generation of the object that the condition refers to; 0 if absent
 * @param lastTransitionTime when the status last changed
 * @param reason for programs, in CamelCase
 * @param message for people
 * @param unknownFields all other fields
 */
@RecordBuilder
public record Condition(
        String type,
        String status,
        @JsonMember(omitZero = true) long observedGeneration,
        @Nullable Time lastTransitionTime,
        String reason,
        String message,
        UnknownFields unknownFields) {

    /** Null means the zero value. */
    public Condition {
        type = Values.orEmpty(type);
        status = Values.orEmpty(status);
        reason = Values.orEmpty(reason);
        message = Values.orEmpty(message);
        unknownFields = Values.orNone(unknownFields);
    }

    /** Returns whether the status is {@code True}. */
    public boolean isTrue() {
        return status.equals("True");
    }
}
