/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.core;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.Values;
import io.kubeloop.api.WithMethods;

/**
 * A number of equal pods to keep running (upstream: {@code core/v1.ReplicationController}). ReplicaSets have replaced
 * this kind.
 *
 * @param metadata name, namespace, labels and the rest
 * @param spec the desired number and form of pods
 * @param status the numbers that the controller last observed
 * @param unknownFields all other fields
 */
@WithMethods
public record ReplicationController(
        ObjectMeta metadata,
        ReplicationControllerSpec spec,
        ReplicationControllerStatus status,
        UnknownFields unknownFields)
        implements KubeObject, ReplicationControllerBuilder.With {

    /** Null means the zero value. */
    public ReplicationController {
        metadata = metadata == null ? ObjectMeta.EMPTY : metadata;
        spec = spec == null ? ReplicationControllerSpec.EMPTY : spec;
        status = status == null ? ReplicationControllerStatus.EMPTY : status;
        unknownFields = Values.orNone(unknownFields);
    }

    /** Returns an object with nothing beyond these parts. */
    public static ReplicationController of(
            ObjectMeta metadata, ReplicationControllerSpec spec, ReplicationControllerStatus status) {
        return new ReplicationController(metadata, spec, status, UnknownFields.NONE);
    }

    /** Returns a copy with this metadata. */
    @Override
    public ReplicationController withMetadata(ObjectMeta metadata) {
        return new ReplicationController(metadata, spec, status, unknownFields);
    }
}
