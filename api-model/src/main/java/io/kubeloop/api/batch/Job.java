/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.batch;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.Values;
import io.kubeloop.api.WithMethods;
import org.jspecify.annotations.Nullable;

/**
 * Runs pods until a number of them has succeeded (upstream: {@code batch/v1.Job}).
 *
 * @param metadata name, namespace, labels and the rest
 * @param spec the pods to run, and when the job ends
 * @param status the state that the controller last observed
 * @param unknownFields all other fields
 */
@WithMethods
public record Job(ObjectMeta metadata, JobSpec spec, JobStatus status, UnknownFields unknownFields)
        implements KubeObject, JobBuilder.With {

    /** Null means the zero value. */
    public Job {
        metadata = metadata == null ? ObjectMeta.EMPTY : metadata;
        spec = spec == null ? JobSpec.EMPTY : spec;
        status = status == null ? JobStatus.EMPTY : status;
        unknownFields = Values.orNone(unknownFields);
    }

    /** Returns an object with nothing beyond these parts. */
    public static Job of(ObjectMeta metadata, JobSpec spec, JobStatus status) {
        return new Job(metadata, spec, status, UnknownFields.NONE);
    }

    /** Returns a copy with this metadata. */
    @Override
    public Job withMetadata(ObjectMeta metadata) {
        return new Job(metadata, spec, status, unknownFields);
    }

    /** Returns whether the job has ended: one of the conditions {@code Complete} and {@code Failed} is true. */
    public boolean isFinished() {
        return finishedCondition() != null;
    }

    /** Returns the true condition {@code Complete} or {@code Failed}, or null if the job has not ended. */
    public @Nullable JobCondition finishedCondition() {
        for (JobCondition condition : status.conditions()) {
            boolean ends = condition.type().equals(JobCondition.COMPLETE)
                    || condition.type().equals(JobCondition.FAILED);
            if (ends && condition.isTrue()) {
                return condition;
            }
        }
        return null;
    }
}
