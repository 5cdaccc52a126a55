/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.core;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.Values;
import io.kubeloop.api.WithMethods;

/**
 * A name and address in front of a set of pods (upstream: {@code core/v1.Service}).
 *
 * <p>The status stays in {@code unknownFields}, because only load balancer controllers set it.
 *
 * @param metadata name, namespace, labels and the rest
 * @param spec the pods to select and the ports to expose
 * @param unknownFields all other fields
 */
@WithMethods
public record Service(ObjectMeta metadata, ServiceSpec spec, UnknownFields unknownFields)
        implements KubeObject, ServiceBuilder.With {

    /** Null means the zero value. */
    public Service {
        metadata = metadata == null ? ObjectMeta.EMPTY : metadata;
        spec = spec == null ? ServiceSpec.EMPTY : spec;
        unknownFields = Values.orNone(unknownFields);
    }

    /** Returns an object with nothing beyond these parts. */
    public static Service of(ObjectMeta metadata, ServiceSpec spec) {
        return new Service(metadata, spec, UnknownFields.NONE);
    }

    /** Returns a copy with this metadata. */
    @Override
    public Service withMetadata(ObjectMeta metadata) {
        return new Service(metadata, spec, unknownFields);
    }
}
