/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.core;

import io.kubeloop.api.Condition;
import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.Values;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.List;
import java.util.Map;

/**
 * The state of a node as its kubelet last reported it (upstream: {@code core/v1.NodeStatus}). Capacity, addresses and
 * images stay in {@code unknownFields}.
 *
 * @param allocatable the quantity of each resource, such as {@code cpu}, that pods may use
 * @param conditions such as {@code Ready}; at most one per type
 * @param unknownFields all other fields
 */
@RecordBuilder
public record NodeStatus(Map<String, String> allocatable, List<Condition> conditions, UnknownFields unknownFields) {

    /** Every field absent. */
    public static final NodeStatus EMPTY = NodeStatusBuilder.builder().build();

    /** Copies the collections; null means the zero value. */
    public NodeStatus {
        allocatable = Values.orEmpty(allocatable);
        conditions = Values.orEmpty(conditions);
        unknownFields = Values.orNone(unknownFields);
    }
}
