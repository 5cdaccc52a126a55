/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.apps;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.Values;
import io.kubeloop.api.WithMethods;

/**
 * A number of equal pods to keep running (upstream: {@code apps/v1.ReplicaSet}).
 *
 * @param metadata name, namespace, labels and the rest
 * @param spec the desired number and form of pods
 * @param status the numbers that the controller last observed
 * @param unknownFields all other fields
 */
@WithMethods
public record ReplicaSet(ObjectMeta metadata, ReplicaSetSpec spec, ReplicaSetStatus status, UnknownFields unknownFields)
        implements KubeObject, ReplicaSetBuilder.With {

    /** Null means the zero value. */
    public ReplicaSet {
        metadata = metadata == null ? ObjectMeta.EMPTY : metadata;
        spec = spec == null ? ReplicaSetSpec.EMPTY : spec;
        status = status == null ? ReplicaSetStatus.EMPTY : status;
        unknownFields = Values.orNone(unknownFields);
    }

    /** Returns an object with nothing beyond these parts. */
    public static ReplicaSet of(ObjectMeta metadata, ReplicaSetSpec spec, ReplicaSetStatus status) {
        return new ReplicaSet(metadata, spec, status, UnknownFields.NONE);
    }

    /** Returns a copy with this metadata. */
    @Override
    public ReplicaSet withMetadata(ObjectMeta metadata) {
        return new ReplicaSet(metadata, spec, status, unknownFields);
    }
}
