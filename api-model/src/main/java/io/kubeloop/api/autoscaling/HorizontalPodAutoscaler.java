/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.autoscaling;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.Values;
import io.kubeloop.api.WithMethods;

/**
 * The rules by which the number of an object's pods follows metrics (upstream: {@code
 * autoscaling/v2.HorizontalPodAutoscaler}).
 *
 * @param metadata name, namespace, labels and the rest
 * @param spec the scaled object, the bounds and the metrics
 * @param status the state of the last sync
 * @param unknownFields all other fields
 */
@WithMethods
public record HorizontalPodAutoscaler(
        ObjectMeta metadata,
        HorizontalPodAutoscalerSpec spec,
        HorizontalPodAutoscalerStatus status,
        UnknownFields unknownFields)
        implements KubeObject, HorizontalPodAutoscalerBuilder.With {

    /** Null means the zero value. */
    public HorizontalPodAutoscaler {
        metadata = metadata == null ? ObjectMeta.EMPTY : metadata;
        spec = spec == null ? HorizontalPodAutoscalerSpec.EMPTY : spec;
        status = status == null ? HorizontalPodAutoscalerStatus.EMPTY : status;
        unknownFields = Values.orNone(unknownFields);
    }

    /** Returns a copy with this metadata. */
    @Override
    public HorizontalPodAutoscaler withMetadata(ObjectMeta metadata) {
        return new HorizontalPodAutoscaler(metadata, spec, status, unknownFields);
    }
}
