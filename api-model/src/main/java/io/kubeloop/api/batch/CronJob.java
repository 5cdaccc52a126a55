/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.batch;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.Values;
import io.kubeloop.api.WithMethods;

/**
 * Creates jobs by a schedule (upstream: {@code batch/v1.CronJob}).
 *
 * @param metadata name, namespace, labels and the rest
 * @param spec the schedule and the form of the jobs
 * @param status the state that the controller last observed
 * @param unknownFields all other fields
 */
@WithMethods
public record CronJob(ObjectMeta metadata, CronJobSpec spec, CronJobStatus status, UnknownFields unknownFields)
        implements KubeObject, CronJobBuilder.With {

    /** Null means the zero value. */
    public CronJob {
        metadata = metadata == null ? ObjectMeta.EMPTY : metadata;
        spec = spec == null ? CronJobSpec.EMPTY : spec;
        status = status == null ? CronJobStatus.EMPTY : status;
        unknownFields = Values.orNone(unknownFields);
    }

    /** Returns an object with nothing beyond these parts. */
    public static CronJob of(ObjectMeta metadata, CronJobSpec spec, CronJobStatus status) {
        return new CronJob(metadata, spec, status, UnknownFields.NONE);
    }

    /** Returns a copy with this metadata. */
    @Override
    public CronJob withMetadata(ObjectMeta metadata) {
        return new CronJob(metadata, spec, status, unknownFields);
    }
}
