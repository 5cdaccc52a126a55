/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.batch;

import io.kubeloop.api.JsonMember;
import io.kubeloop.api.Time;
import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.Values;
import io.soabase.recordbuilder.core.RecordBuilder;
import org.jspecify.annotations.Nullable;

/**
 * One aspect of a job's state (upstream: {@code batch/v1.JobCondition}).
 *
 * @param type such as {@code Complete}
 * @param status {@code True}, {@code False} or {@code Unknown}
 * @param lastProbeTime when the condition was last checked
 * @param lastTransitionTime when the status last changed
 * @param reason for programs, in CamelCase
 * @param message for people
 * @param unknownFields all other fields
 */
@RecordBuilder
public record JobCondition(
        String type,
        String status,
        @Nullable Time lastProbeTime,
        @Nullable Time lastTransitionTime,
        String reason,
        @JsonMember(shared = false) String message,
        UnknownFields unknownFields) {

    /** Type: the job has no pods because it is suspended. */
    public static final String SUSPENDED = "Suspended";
    /** Type: the job has succeeded, and all of its pods have ended. */
    public static final String COMPLETE = "Complete";
    /** Type: the job has failed, and all of its pods have ended. */
    public static final String FAILED = "Failed";
    /** Type: the job will fail; pods may still end. */
    public static final String FAILURE_TARGET = "FailureTarget";
    /** Type: the job will succeed; pods may still end. */
    public static final String SUCCESS_CRITERIA_MET = "SuccessCriteriaMet";

    /** Null means the zero value. */
    public JobCondition {
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
