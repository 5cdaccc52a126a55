/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.discovery;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.Values;
import io.kubeloop.api.WithMethods;
import java.util.List;

/**
 * A part of the endpoints of a service (upstream: {@code discovery.k8s.io/v1.EndpointSlice}).
 *
 * @param metadata name, namespace, labels and the rest
 * @param addressType {@code IPv4}, {@code IPv6} or {@code FQDN}
 * @param endpoints the addresses
 * @param ports the ports of each endpoint
 * @param unknownFields all other fields
 */
@WithMethods
public record EndpointSlice(
        ObjectMeta metadata,
        String addressType,
        List<Endpoint> endpoints,
        List<EndpointSlicePort> ports,
        UnknownFields unknownFields)
        implements KubeObject, EndpointSliceBuilder.With {

    /** Copies the collections; null means the zero value. */
    public EndpointSlice {
        metadata = metadata == null ? ObjectMeta.EMPTY : metadata;
        addressType = Values.orEmpty(addressType);
        endpoints = Values.orEmpty(endpoints);
        ports = Values.orEmpty(ports);
        unknownFields = Values.orNone(unknownFields);
    }

    /** Returns an object with nothing beyond these parts. */
    public static EndpointSlice of(
            ObjectMeta metadata, String addressType, List<Endpoint> endpoints, List<EndpointSlicePort> ports) {
        return new EndpointSlice(metadata, addressType, endpoints, ports, UnknownFields.NONE);
    }

    /** Returns a copy with this metadata. */
    @Override
    public EndpointSlice withMetadata(ObjectMeta metadata) {
        return new EndpointSlice(metadata, addressType, endpoints, ports, unknownFields);
    }
}
