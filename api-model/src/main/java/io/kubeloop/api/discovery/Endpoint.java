/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.discovery;

import io.kubeloop.api.JsonMember;
import io.kubeloop.api.ObjectReference;
import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.Values;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One endpoint of a slice (upstream: {@code discovery.k8s.io/v1.Endpoint}).
 *
 * @param addresses the addresses, all equivalent
 * @param conditions whether it should receive requests
 * @param hostname the host name in DNS
 * @param targetRef the pod with these addresses
 * @param nodeName the node of the endpoint
 * @param zone the zone of the endpoint
 * @param hints the consumers that should prefer it; null means none
 * @param unknownFields all other fields
 */
@RecordBuilder
public record Endpoint(
        @JsonMember(shared = false) List<String> addresses,
        EndpointConditions conditions,
        @Nullable String hostname,
        @Nullable ObjectReference targetRef,
        @Nullable String nodeName,
        @Nullable String zone,
        @Nullable EndpointHints hints,
        UnknownFields unknownFields) {

    /** Copies the collections; null means the zero value. */
    public Endpoint {
        addresses = Values.orEmpty(addresses);
        conditions = conditions == null ? EndpointConditions.EMPTY : conditions;
        unknownFields = Values.orNone(unknownFields);
    }
}
