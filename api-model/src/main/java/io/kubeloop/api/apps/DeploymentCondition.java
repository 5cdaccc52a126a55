/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.apps;

import io.kubeloop.api.JsonMember;
import io.kubeloop.api.Time;
import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.Values;
import io.soabase.recordbuilder.core.RecordBuilder;
import org.jspecify.annotations.Nullable;

/**
 * One aspect of a deployment's state (upstream: {@code apps/v1.DeploymentCondition}).
 *
 * @param type {@code Available}, {@code Progressing} or {@code ReplicaFailure}
 * @param status {@code True}, {@code False} or {@code Unknown}
 * @param lastUpdateTime when the condition last changed; the progress deadline counts from it
 * @param lastTransitionTime when the status last changed
 * @param reason for programs, in CamelCase
 * @param message for people
 * @param unknownFields all other fields
 */
@RecordBuilder
public record DeploymentCondition(
        String type,
        String status,
        @Nullable Time lastUpdateTime,
        @Nullable Time lastTransitionTime,
        String reason,
        @JsonMember(shared = false) String message,
        UnknownFields unknownFields) {

    /** Null means the zero value. */
    public DeploymentCondition {
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
