package io.kubeloop.api.core;

import io.kubeloop.api.JsonMember;
import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.Values;
import io.soabase.recordbuilder.core.RecordBuilder;

/**
 * How a node may be used (upstream: {@code core/v1.NodeSpec}).
 *
 * @param podCIDR the addresses of its pods
 * @param unschedulable whether no new pods are to be placed there
 * @param unknownFields everything else
 */
@RecordBuilder
public record NodeSpec(@JsonMember(shared = false) String podCIDR, boolean unschedulable, UnknownFields unknownFields) {

    /** Every field absent. */
    public static final NodeSpec EMPTY = NodeSpecBuilder.builder().build();

    /** Null means the zero value. */
    public NodeSpec {
        podCIDR = Values.orEmpty(podCIDR);
        unknownFields = Values.orNone(unknownFields);
    }
}
