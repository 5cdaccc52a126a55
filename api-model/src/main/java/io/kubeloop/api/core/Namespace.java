/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.core;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.Values;
import io.kubeloop.api.WithMethods;

/**
 * A scope for the names of objects (upstream: {@code core/v1.Namespace}).
 *
 * @param metadata name, namespace, labels and the rest
 * @param spec its finalizers
 * @param status its phase
 * @param unknownFields all other fields
 */
@WithMethods
public record Namespace(ObjectMeta metadata, NamespaceSpec spec, NamespaceStatus status, UnknownFields unknownFields)
        implements KubeObject, NamespaceBuilder.With {

    /** Null means the zero value. */
    public Namespace {
        metadata = metadata == null ? ObjectMeta.EMPTY : metadata;
        spec = spec == null ? NamespaceSpec.EMPTY : spec;
        status = status == null ? NamespaceStatus.EMPTY : status;
        unknownFields = Values.orNone(unknownFields);
    }

    /** Returns an object with nothing beyond these parts. */
    public static Namespace of(ObjectMeta metadata, NamespaceSpec spec, NamespaceStatus status) {
        return new Namespace(metadata, spec, status, UnknownFields.NONE);
    }

    /** Returns a copy with this metadata. */
    @Override
    public Namespace withMetadata(ObjectMeta metadata) {
        return new Namespace(metadata, spec, status, unknownFields);
    }
}
