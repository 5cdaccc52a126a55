package io.kubeloop.api.core;

import io.kubeloop.api.JsonMember;
import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.Values;
import io.soabase.recordbuilder.core.RecordBuilder;

/**
 * The use of a node for pods (upstream: {@code core/v1.NodeSpec}).
 *
 * @param podCIDR the address range of its pods
 * @param unschedulable whether the scheduler must not place new pods on the node
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
