/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.apps;

import io.kubeloop.api.JsonMember;
import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.Values;
import io.kubeloop.api.WithMethods;
import io.kubeloop.api.core.PodTemplateSpec;
import io.kubeloop.api.selector.LabelSelector;
import org.jspecify.annotations.Nullable;

/**
 * The desired state of a deployment (upstream: {@code apps/v1.DeploymentSpec}).
 *
 * @param replicas the number of pods; null means 1
 * @param selector the pods that count; required in stored objects, and it must match the template's labels
 * @param template the form of new pods; a change of it starts a rollout
 * @param strategy how old pods are replaced by new ones
 * @param minReadySeconds the time for which a pod must be ready before it counts as available, in seconds
 * @param revisionHistoryLimit the number of old ReplicaSets to keep for a rollback; null means 10
 * @param paused whether rollouts are suspended
 * @param progressDeadlineSeconds the time without progress after which a rollout counts as failed, in seconds; null
 *     means 600
 * @param unknownFields all other fields
 */
@WithMethods
public record DeploymentSpec(
        @Nullable Integer replicas,
        @Nullable LabelSelector selector,
        PodTemplateSpec template,
        DeploymentStrategy strategy,
        @JsonMember(omitZero = true) int minReadySeconds,
        @Nullable Integer revisionHistoryLimit,
        @JsonMember(omitZero = true) boolean paused,
        @Nullable Integer progressDeadlineSeconds,
        UnknownFields unknownFields)
        implements DeploymentSpecBuilder.With {

    /** Every field absent. */
    public static final DeploymentSpec EMPTY = DeploymentSpecBuilder.builder().build();

    /** Null means the zero value. */
    public DeploymentSpec {
        template = template == null ? PodTemplateSpec.EMPTY : template;
        strategy = strategy == null ? DeploymentStrategy.EMPTY : strategy;
        unknownFields = Values.orNone(unknownFields);
    }
}
