/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.policy;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.Values;
import io.kubeloop.api.WithMethods;

/**
 * A limit on how many pods may be evicted at a time (upstream: {@code policy/v1.PodDisruptionBudget}).
 *
 * @param metadata name, namespace, labels and the rest
 * @param spec the pods and the limit
 * @param status the number of allowed evictions and the counted pods
 * @param unknownFields all other fields
 */
@WithMethods
public record PodDisruptionBudget(
        ObjectMeta metadata,
        PodDisruptionBudgetSpec spec,
        PodDisruptionBudgetStatus status,
        UnknownFields unknownFields)
        implements KubeObject, PodDisruptionBudgetBuilder.With {

    /** Null means the zero value. */
    public PodDisruptionBudget {
        metadata = metadata == null ? ObjectMeta.EMPTY : metadata;
        spec = spec == null ? PodDisruptionBudgetSpec.EMPTY : spec;
        status = status == null ? PodDisruptionBudgetStatus.EMPTY : status;
        unknownFields = Values.orNone(unknownFields);
    }

    /** Returns a copy with this metadata. */
    @Override
    public PodDisruptionBudget withMetadata(ObjectMeta metadata) {
        return new PodDisruptionBudget(metadata, spec, status, unknownFields);
    }
}
