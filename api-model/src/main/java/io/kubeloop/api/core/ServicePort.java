/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.core;

import io.kubeloop.api.JsonMember;
import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.Values;
import io.kubeloop.api.value.IntOrString;
import io.soabase.recordbuilder.core.RecordBuilder;
import org.jspecify.annotations.Nullable;

/**
 * A port of a service (upstream: {@code core/v1.ServicePort}).
 *
 * @param name the name, unique within the service; may be empty if it is the only port
 * @param protocol {@code TCP}, {@code UDP} or {@code SCTP}; empty before defaulting
 * @param appProtocol the application protocol, such as {@code https}
 * @param port the port on the service's address
 * @param targetPort number or name of the port on the pods; 0 means the same as {@code port}
 * @param nodePort the port on every node; 0 means none
 * @param unknownFields all other fields
 */
@RecordBuilder
public record ServicePort(
        String name,
        String protocol,
        @Nullable String appProtocol,
        @JsonMember(omitZero = true) int port,
        @JsonMember(omitZero = true) IntOrString targetPort,
        @JsonMember(omitZero = true) int nodePort,
        UnknownFields unknownFields) {

    /** Null means the zero value. */
    public ServicePort {
        name = Values.orEmpty(name);
        protocol = Values.orEmpty(protocol);
        targetPort = targetPort == null ? IntOrString.ZERO : targetPort;
        unknownFields = Values.orNone(unknownFields);
    }
}
