/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.batch;

import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.Values;
import io.kubeloop.api.WithMethods;

/**
 * The form of the jobs that a CronJob creates (upstream: {@code batch/v1.JobTemplateSpec}).
 *
 * @param metadata labels and annotations of the jobs
 * @param spec the spec of the jobs
 * @param unknownFields all other fields
 */
@WithMethods
public record JobTemplateSpec(ObjectMeta metadata, JobSpec spec, UnknownFields unknownFields)
        implements JobTemplateSpecBuilder.With {

    /** Every field absent. */
    public static final JobTemplateSpec EMPTY = JobTemplateSpecBuilder.builder().build();

    /** Null means the zero value. */
    public JobTemplateSpec {
        metadata = metadata == null ? ObjectMeta.EMPTY : metadata;
        spec = spec == null ? JobSpec.EMPTY : spec;
        unknownFields = Values.orNone(unknownFields);
    }
}
