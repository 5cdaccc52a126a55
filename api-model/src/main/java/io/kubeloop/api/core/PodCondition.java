/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.core;

import io.kubeloop.api.Time;
import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.Values;
import io.soabase.recordbuilder.core.RecordBuilder;
import org.jspecify.annotations.Nullable;

/**
 * One aspect of a pod's state (upstream: {@code core/v1.PodCondition}).
 *
 * @param type such as {@code Ready}
 * @param status {@code True}, {@code False} or {@code Unknown}
 * @param lastProbeTime when the condition was last probed
 * @param lastTransitionTime when the status last changed
 * @param reason for programs, in CamelCase
 * @param message for people
 * @param unknownFields all other fields
 */
@RecordBuilder
public record PodCondition(
        String type,
        String status,
        @Nullable Time lastProbeTime,
        @Nullable Time lastTransitionTime,
        String reason,
        String message,
        UnknownFields unknownFields) {

    /** Null means the zero value. */
    public PodCondition {
        type = Values.orEmpty(type);
        status = Values.orEmpty(status);
        reason = Values.orEmpty(reason);
        message = Values.orEmpty(message);
        unknownFields = Values.orNone(unknownFields);
    }

    /** Type: whether the pod can serve requests. */
    public static final String READY = "Ready";

    /** Returns whether the status is {@code True}. */
    public boolean isTrue() {
        return status.equals("True");
    }
}
