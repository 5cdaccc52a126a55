/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.apps;

import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.Values;
import io.soabase.recordbuilder.core.RecordBuilder;

/**
 * The form of a claim that a controller creates for a pod (upstream: {@code core/v1.PersistentVolumeClaim} inside
 * another object). The spec stays in {@code unknownFields}.
 *
 * @param metadata the name of the volume in the pod, and labels and annotations of the claims
 * @param unknownFields all other fields
 */
@RecordBuilder
public record VolumeClaimTemplate(ObjectMeta metadata, UnknownFields unknownFields) {

    /** Null means the zero value. */
    public VolumeClaimTemplate {
        metadata = metadata == null ? ObjectMeta.EMPTY : metadata;
        unknownFields = Values.orNone(unknownFields);
    }
}
