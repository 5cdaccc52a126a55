/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.core;

import io.kubeloop.api.JsonMember;
import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.Values;
import io.soabase.recordbuilder.core.RecordBuilder;

/**
 * A port of a container (upstream: {@code core/v1.ContainerPort}).
 *
 * @param name the name, unique within the pod; empty if the port has none
 * @param containerPort the port on the pod's address
 * @param protocol {@code TCP}, {@code UDP} or {@code SCTP}; empty before defaulting
 * @param unknownFields all other fields
 */
@RecordBuilder
public record ContainerPort(
        String name, @JsonMember(omitZero = true) int containerPort, String protocol, UnknownFields unknownFields) {

    /** Null means the zero value. */
    public ContainerPort {
        name = Values.orEmpty(name);
        protocol = Values.orEmpty(protocol);
        unknownFields = Values.orNone(unknownFields);
    }
}
