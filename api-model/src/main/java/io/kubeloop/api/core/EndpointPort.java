/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.core;

import io.kubeloop.api.JsonMember;
import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.Values;
import io.soabase.recordbuilder.core.RecordBuilder;
import org.jspecify.annotations.Nullable;

/**
 * One port of an endpoint (upstream: {@code core/v1.EndpointPort}).
 *
 * @param name the service port's name; may be empty if it is the only port
 * @param port the port on the addresses
 * @param protocol {@code TCP}, {@code UDP} or {@code SCTP}
 * @param appProtocol the application protocol, such as {@code https}
 * @param unknownFields all other fields
 */
@RecordBuilder
public record EndpointPort(
        String name,
        @JsonMember(omitZero = true) int port,
        String protocol,
        @Nullable String appProtocol,
        UnknownFields unknownFields) {

    /** Null means the zero value. */
    public EndpointPort {
        name = Values.orEmpty(name);
        protocol = Values.orEmpty(protocol);
        unknownFields = Values.orNone(unknownFields);
    }
}
