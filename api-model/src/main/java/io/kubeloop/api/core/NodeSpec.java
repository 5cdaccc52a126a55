/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.core;

import io.kubeloop.api.JsonMember;
import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.Values;
import io.kubeloop.api.WithMethods;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.List;

/**
 * The desired state of a node (upstream: {@code core/v1.NodeSpec}).
 *
 * @param podCIDR the address range of its pods
 * @param unschedulable whether the scheduler must not place new pods on the node
 * @param taints the marks that keep pods away
 * @param unknownFields all other fields
 */
@WithMethods
public record NodeSpec(
        @JsonMember(shared = false) String podCIDR,
        @JsonMember(omitZero = true) boolean unschedulable,
        List<Taint> taints,
        UnknownFields unknownFields)
        implements NodeSpecBuilder.With {

    /** Every field absent. */
    public static final NodeSpec EMPTY = NodeSpecBuilder.builder().build();

    /** Copies the collections; null means the zero value. */
    public NodeSpec {
        podCIDR = Values.orEmpty(podCIDR);
        taints = Values.orEmpty(taints);
        unknownFields = Values.orNone(unknownFields);
    }

    /**
     * A mark that keeps pods away from a node (upstream: {@code core/v1.Taint}).
     *
     * @param key the name of the taint
     * @param value the value that a toleration may require; can be empty
     * @param effect {@code NoSchedule}, {@code PreferNoSchedule} or {@code NoExecute}
     * @param unknownFields all other fields
     */
    @RecordBuilder
    public record Taint(String key, String value, String effect, UnknownFields unknownFields) {

        /** Effect: pods that do not tolerate the taint are not scheduled on the node. */
        public static final String NO_SCHEDULE = "NoSchedule";

        /** Effect: running pods that do not tolerate the taint are evicted, too. */
        public static final String NO_EXECUTE = "NoExecute";

        /** Null means the zero value. */
        public Taint {
            key = Values.orEmpty(key);
            value = Values.orEmpty(value);
            effect = Values.orEmpty(effect);
            unknownFields = Values.orNone(unknownFields);
        }
    }
}
