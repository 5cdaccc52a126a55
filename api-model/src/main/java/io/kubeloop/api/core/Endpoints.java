/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.core;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.Values;
import io.kubeloop.api.WithMethods;
import java.util.List;

/**
 * The addresses of a service's pods (upstream: {@code core/v1.Endpoints}). The object has the service's name.
 *
 * @param metadata name, namespace, labels and the rest
 * @param subsets the addresses, grouped by common ports
 * @param unknownFields all other fields
 */
@WithMethods
public record Endpoints(ObjectMeta metadata, List<EndpointSubset> subsets, UnknownFields unknownFields)
        implements KubeObject, EndpointsBuilder.With {

    /** Copies the collections; null means the zero value. */
    public Endpoints {
        metadata = metadata == null ? ObjectMeta.EMPTY : metadata;
        subsets = Values.orEmpty(subsets);
        unknownFields = Values.orNone(unknownFields);
    }

    /** Returns an object with nothing beyond these parts. */
    public static Endpoints of(ObjectMeta metadata, List<EndpointSubset> subsets) {
        return new Endpoints(metadata, subsets, UnknownFields.NONE);
    }

    /** Returns a copy with this metadata. */
    @Override
    public Endpoints withMetadata(ObjectMeta metadata) {
        return new Endpoints(metadata, subsets, unknownFields);
    }
}
