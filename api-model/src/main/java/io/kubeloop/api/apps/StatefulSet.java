/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.apps;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.Values;
import io.kubeloop.api.WithMethods;

/**
 * Runs pods with stable names and storage (upstream: {@code apps/v1.StatefulSet}).
 *
 * @param metadata name, namespace, labels and the rest
 * @param spec the desired pods, and how to replace old ones
 * @param status the state that the controller last observed
 * @param unknownFields all other fields
 */
@WithMethods
public record StatefulSet(
        ObjectMeta metadata, StatefulSetSpec spec, StatefulSetStatus status, UnknownFields unknownFields)
        implements KubeObject, StatefulSetBuilder.With {

    /** Null means the zero value. */
    public StatefulSet {
        metadata = metadata == null ? ObjectMeta.EMPTY : metadata;
        spec = spec == null ? StatefulSetSpec.EMPTY : spec;
        status = status == null ? StatefulSetStatus.EMPTY : status;
        unknownFields = Values.orNone(unknownFields);
    }

    /** Returns an object with nothing beyond these parts. */
    public static StatefulSet of(ObjectMeta metadata, StatefulSetSpec spec, StatefulSetStatus status) {
        return new StatefulSet(metadata, spec, status, UnknownFields.NONE);
    }

    /** Returns a copy with this metadata. */
    @Override
    public StatefulSet withMetadata(ObjectMeta metadata) {
        return new StatefulSet(metadata, spec, status, unknownFields);
    }
}
