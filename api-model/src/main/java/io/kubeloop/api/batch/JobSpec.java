/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.batch;

import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.Values;
import io.kubeloop.api.WithMethods;
import io.kubeloop.api.core.PodTemplateSpec;
import io.kubeloop.api.selector.LabelSelector;
import org.jspecify.annotations.Nullable;

/**
 * The desired run of a job (upstream: {@code batch/v1.JobSpec}).
 *
 * @param parallelism the largest number of pods that run at a time; null means 1
 * @param completions the number of pods that must succeed; null means that one success ends the job
 * @param activeDeadlineSeconds the time from the start after which the job fails, in seconds; null for no limit
 * @param podFailurePolicy rules for failed pods; null for none
 * @param successPolicy rules by which the job may succeed early; null for none
 * @param backoffLimit the number of failed pods that the job tolerates; null means 6
 * @param backoffLimitPerIndex the number of failed pods that each index tolerates; null for no such limit
 * @param maxFailedIndexes the number of failed indexes that the job tolerates; null for any
 * @param selector the pods that count; the server generates it
 * @param template the form of the pods
 * @param ttlSecondsAfterFinished the time from the end after which the job is deleted, in seconds; null keeps it
 * @param completionMode {@code NonIndexed} or {@code Indexed}; empty means {@code NonIndexed}
 * @param suspend whether the job must have no pods
 * @param podReplacementPolicy {@code TerminatingOrFailed} or {@code Failed}: the state in which a pod is replaced
 * @param managedBy the controller of the job; null means the built-in one
 * @param unknownFields all other fields
 */
@WithMethods
public record JobSpec(
        @Nullable Integer parallelism,
        @Nullable Integer completions,
        @Nullable Long activeDeadlineSeconds,
        @Nullable PodFailurePolicy podFailurePolicy,
        @Nullable SuccessPolicy successPolicy,
        @Nullable Integer backoffLimit,
        @Nullable Integer backoffLimitPerIndex,
        @Nullable Integer maxFailedIndexes,
        @Nullable LabelSelector selector,
        PodTemplateSpec template,
        @Nullable Integer ttlSecondsAfterFinished,
        String completionMode,
        @Nullable Boolean suspend,
        String podReplacementPolicy,
        @Nullable String managedBy,
        UnknownFields unknownFields)
        implements JobSpecBuilder.With {

    /** Every field absent. */
    public static final JobSpec EMPTY = JobSpecBuilder.builder().build();

    /** Mode: the pods are alike, and their successes are counted. */
    public static final String NON_INDEXED = "NonIndexed";

    /** Mode: each pod has an index from 0 to {@code completions - 1}, and each index must succeed once. */
    public static final String INDEXED = "Indexed";

    /** Null means the zero value. */
    public JobSpec {
        template = template == null ? PodTemplateSpec.EMPTY : template;
        completionMode = Values.orEmpty(completionMode);
        podReplacementPolicy = Values.orEmpty(podReplacementPolicy);
        unknownFields = Values.orNone(unknownFields);
    }
}
