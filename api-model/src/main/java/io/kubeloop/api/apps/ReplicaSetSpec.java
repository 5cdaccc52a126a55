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
 * The desired number and form of pods (upstream: {@code apps/v1.ReplicaSetSpec}).
 *
 * @param replicas the number of pods; null means 1
 * @param minReadySeconds the time for which a pod must be ready before it counts as available, in seconds
 * @param selector the pods that count; required in stored objects
 * @param template the form of new pods
 * @param unknownFields all other fields
 */
@WithMethods
public record ReplicaSetSpec(
        @Nullable Integer replicas,
        @JsonMember(omitZero = true) int minReadySeconds,
        @Nullable LabelSelector selector,
        PodTemplateSpec template,
        UnknownFields unknownFields)
        implements ReplicaSetSpecBuilder.With {

    /** Every field absent. */
    public static final ReplicaSetSpec EMPTY = ReplicaSetSpecBuilder.builder().build();

    /** Null means the zero value. */
    public ReplicaSetSpec {
        template = template == null ? PodTemplateSpec.EMPTY : template;
        unknownFields = Values.orNone(unknownFields);
    }
}
