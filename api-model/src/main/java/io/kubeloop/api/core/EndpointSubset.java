/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.core;

import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.Values;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.List;

/**
 * Addresses that share one set of ports (upstream: {@code core/v1.EndpointSubset}). The endpoints are all
 * combinations of an address and a port.
 *
 * @param addresses addresses that are ready
 * @param notReadyAddresses the addresses of pods that are not ready
 * @param ports the ports of each address
 * @param unknownFields all other fields
 */
@RecordBuilder
public record EndpointSubset(
        List<EndpointAddress> addresses,
        List<EndpointAddress> notReadyAddresses,
        List<EndpointPort> ports,
        UnknownFields unknownFields) {

    /** Every field absent. */
    public static final EndpointSubset EMPTY = EndpointSubsetBuilder.builder().build();

    /** Copies the collections; null means the zero value. */
    public EndpointSubset {
        addresses = Values.orEmpty(addresses);
        notReadyAddresses = Values.orEmpty(notReadyAddresses);
        ports = Values.orEmpty(ports);
        unknownFields = Values.orNone(unknownFields);
    }
}
