/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.core;

import io.kubeloop.api.JsonMember;
import io.kubeloop.api.ObjectReference;
import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.Values;
import io.soabase.recordbuilder.core.RecordBuilder;
import org.jspecify.annotations.Nullable;

/**
 * One address of an endpoint (upstream: {@code core/v1.EndpointAddress}).
 *
 * @param ip the address, IPv4 or IPv6
 * @param hostname the host name under a headless service in DNS; may be empty
 * @param nodeName the name of the address's node
 * @param targetRef the pod with this address
 * @param unknownFields all other fields
 */
@RecordBuilder
public record EndpointAddress(
        @JsonMember(shared = false) String ip,
        String hostname,
        @Nullable String nodeName,
        @Nullable ObjectReference targetRef,
        UnknownFields unknownFields) {

    /** Null means the zero value. */
    public EndpointAddress {
        ip = Values.orEmpty(ip);
        hostname = Values.orEmpty(hostname);
        unknownFields = Values.orNone(unknownFields);
    }
}
