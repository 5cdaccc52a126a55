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
 * The desired state of a DaemonSet (upstream: {@code apps/v1.DaemonSetSpec}).
 *
 * @param selector the pods that count; required in stored objects
 * @param template the form of new pods; a change of it starts a rollout
 * @param updateStrategy how old pods are replaced by new ones
 * @param minReadySeconds the time for which a pod must be ready before it counts as available, in seconds
 * @param revisionHistoryLimit the number of old revisions to keep for a rollback; null means 10
 * @param unknownFields all other fields
 */
@WithMethods
public record DaemonSetSpec(
        @Nullable LabelSelector selector,
        PodTemplateSpec template,
        DaemonSetUpdateStrategy updateStrategy,
        @JsonMember(omitZero = true) int minReadySeconds,
        @Nullable Integer revisionHistoryLimit,
        UnknownFields unknownFields)
        implements DaemonSetSpecBuilder.With {

    /** Every field absent. */
    public static final DaemonSetSpec EMPTY = DaemonSetSpecBuilder.builder().build();

    /** Null means the zero value. */
    public DaemonSetSpec {
        template = template == null ? PodTemplateSpec.EMPTY : template;
        updateStrategy = updateStrategy == null ? DaemonSetUpdateStrategy.EMPTY : updateStrategy;
        unknownFields = Values.orNone(unknownFields);
    }
}
