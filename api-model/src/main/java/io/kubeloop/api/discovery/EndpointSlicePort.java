/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.discovery;

import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.Values;
import io.soabase.recordbuilder.core.RecordBuilder;
import org.jspecify.annotations.Nullable;

/**
 * One port of an EndpointSlice (upstream: {@code discovery.k8s.io/v1.EndpointPort}).
 *
 * @param name the service port's name
 * @param protocol {@code TCP}, {@code UDP} or {@code SCTP}; null means {@code TCP}
 * @param port the port number; null means all ports
 * @param appProtocol the application protocol, such as {@code https}
 * @param unknownFields all other fields
 */
@RecordBuilder
public record EndpointSlicePort(
        @Nullable String name,
        @Nullable String protocol,
        @Nullable Integer port,
        @Nullable String appProtocol,
        UnknownFields unknownFields) {

    /** Null means the zero value. */
    public EndpointSlicePort {
        unknownFields = Values.orNone(unknownFields);
    }
}
