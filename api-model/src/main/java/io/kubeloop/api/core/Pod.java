/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.core;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.Values;
import io.kubeloop.api.WithMethods;

/**
 * A group of containers that run together on a node (upstream: {@code core/v1.Pod}).
 *
 * @param metadata name, namespace, labels and the rest
 * @param spec the containers to run
 * @param status the state that the kubelet last reported
 * @param unknownFields all other fields
 */
@WithMethods
public record Pod(ObjectMeta metadata, PodSpec spec, PodStatus status, UnknownFields unknownFields)
        implements KubeObject, PodBuilder.With {

    /** Null means the zero value. */
    public Pod {
        metadata = metadata == null ? ObjectMeta.EMPTY : metadata;
        spec = spec == null ? PodSpec.EMPTY : spec;
        status = status == null ? PodStatus.EMPTY : status;
        unknownFields = Values.orNone(unknownFields);
    }

    /** Returns an object with nothing beyond these parts. */
    public static Pod of(ObjectMeta metadata, PodSpec spec, PodStatus status) {
        return new Pod(metadata, spec, status, UnknownFields.NONE);
    }

    /** Returns a copy with this metadata. */
    @Override
    public Pod withMetadata(ObjectMeta metadata) {
        return new Pod(metadata, spec, status, unknownFields);
    }

    /** Returns whether the pod's {@code Ready} condition is true. */
    public boolean isReady() {
        PodCondition ready = status.condition(PodCondition.READY);
        return ready != null && ready.isTrue();
    }

    /** Returns whether the pod has ended and will not restart: its phase is {@code Succeeded} or {@code Failed}. */
    public boolean isFinished() {
        return status.phase().equals(PodStatus.SUCCEEDED) || status.phase().equals(PodStatus.FAILED);
    }
}
