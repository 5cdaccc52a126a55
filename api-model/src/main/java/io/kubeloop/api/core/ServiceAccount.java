/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.core;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.ObjectReference;
import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.Values;
import io.kubeloop.api.WithMethods;
import java.util.List;

/**
 * An identity for the processes of pods (upstream: {@code core/v1.ServiceAccount}).
 *
 * @param metadata name, namespace, labels and the rest
 * @param secrets the secrets that pods of the account may use; also token secrets that older releases made
 * @param unknownFields all other fields
 */
@WithMethods
public record ServiceAccount(ObjectMeta metadata, List<ObjectReference> secrets, UnknownFields unknownFields)
        implements KubeObject, ServiceAccountBuilder.With {

    /** Copies the collections; null means the zero value. */
    public ServiceAccount {
        metadata = metadata == null ? ObjectMeta.EMPTY : metadata;
        secrets = Values.orEmpty(secrets);
        unknownFields = Values.orNone(unknownFields);
    }

    /** Returns an object with nothing beyond these parts. */
    public static ServiceAccount of(ObjectMeta metadata) {
        return new ServiceAccount(metadata, List.of(), UnknownFields.NONE);
    }

    /** Returns a copy with this metadata. */
    @Override
    public ServiceAccount withMetadata(ObjectMeta metadata) {
        return new ServiceAccount(metadata, secrets, unknownFields);
    }
}
