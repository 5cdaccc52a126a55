/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.core;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.Values;
import io.kubeloop.api.WithMethods;

/**
 * A request for storage (upstream: {@code core/v1.PersistentVolumeClaim}). Spec and status stay in {@code
 * unknownFields}.
 *
 * @param metadata name, namespace, labels and the rest
 * @param unknownFields all other fields
 */
@WithMethods
public record PersistentVolumeClaim(ObjectMeta metadata, UnknownFields unknownFields)
        implements KubeObject, PersistentVolumeClaimBuilder.With {

    /** Null means the zero value. */
    public PersistentVolumeClaim {
        metadata = metadata == null ? ObjectMeta.EMPTY : metadata;
        unknownFields = Values.orNone(unknownFields);
    }

    /** Returns an object with nothing beyond these parts. */
    public static PersistentVolumeClaim of(ObjectMeta metadata) {
        return new PersistentVolumeClaim(metadata, UnknownFields.NONE);
    }

    /** Returns a copy with this metadata. */
    @Override
    public PersistentVolumeClaim withMetadata(ObjectMeta metadata) {
        return new PersistentVolumeClaim(metadata, unknownFields);
    }
}
