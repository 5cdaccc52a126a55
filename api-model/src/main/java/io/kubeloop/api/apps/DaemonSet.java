/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.apps;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.Values;
import io.kubeloop.api.WithMethods;

/**
 * Runs one pod on each fitting node (upstream: {@code apps/v1.DaemonSet}).
 *
 * @param metadata name, namespace, labels and the rest
 * @param spec the desired pods, and how to replace old ones
 * @param status the state that the controller last observed
 * @param unknownFields all other fields
 */
@WithMethods
public record DaemonSet(ObjectMeta metadata, DaemonSetSpec spec, DaemonSetStatus status, UnknownFields unknownFields)
        implements KubeObject, DaemonSetBuilder.With {

    /** Null means the zero value. */
    public DaemonSet {
        metadata = metadata == null ? ObjectMeta.EMPTY : metadata;
        spec = spec == null ? DaemonSetSpec.EMPTY : spec;
        status = status == null ? DaemonSetStatus.EMPTY : status;
        unknownFields = Values.orNone(unknownFields);
    }

    /** Returns an object with nothing beyond these parts. */
    public static DaemonSet of(ObjectMeta metadata, DaemonSetSpec spec, DaemonSetStatus status) {
        return new DaemonSet(metadata, spec, status, UnknownFields.NONE);
    }

    /** Returns a copy with this metadata. */
    @Override
    public DaemonSet withMetadata(ObjectMeta metadata) {
        return new DaemonSet(metadata, spec, status, unknownFields);
    }
}
