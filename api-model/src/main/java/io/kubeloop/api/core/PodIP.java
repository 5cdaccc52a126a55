/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.core;

import io.kubeloop.api.JsonMember;
import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.Values;
import io.soabase.recordbuilder.core.RecordBuilder;

/**
 * An address of a pod (upstream: {@code core/v1.PodIP}).
 *
 * @param ip the address, IPv4 or IPv6
 * @param unknownFields all other fields
 */
@RecordBuilder
public record PodIP(@JsonMember(shared = false) String ip, UnknownFields unknownFields) {

    /** Null means the zero value. */
    public PodIP {
        ip = Values.orEmpty(ip);
        unknownFields = Values.orNone(unknownFields);
    }
}
