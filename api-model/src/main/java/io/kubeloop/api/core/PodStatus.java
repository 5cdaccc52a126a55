/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.core;

import io.kubeloop.api.JsonMember;
import io.kubeloop.api.Time;
import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.Values;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The observed state of a pod (upstream: {@code core/v1.PodStatus}).
 *
 * @param phase {@code Pending}, {@code Running}, {@code Succeeded}, {@code Failed} or {@code Unknown}
 * @param conditions the pod's conditions; at most one per type
 * @param message why the pod is in this state, for people
 * @param reason why the pod is in this state, for programs, such as {@code Evicted}
 * @param hostIP the node's address
 * @param podIP the pod's first address; empty until one is assigned
 * @param podIPs the pod's addresses, at most one per IP family; the first equals {@code podIP}
 * @param startTime when the kubelet accepted the pod
 * @param initContainerStatuses the statuses of the init containers
 * @param containerStatuses one per container
 * @param unknownFields all other fields
 */
@RecordBuilder
public record PodStatus(
        String phase,
        List<PodCondition> conditions,
        @JsonMember(shared = false) String message,
        String reason,
        String hostIP,
        @JsonMember(shared = false) String podIP,
        List<PodIP> podIPs,
        @Nullable Time startTime,
        List<ContainerStatus> initContainerStatuses,
        List<ContainerStatus> containerStatuses,
        UnknownFields unknownFields) {

    /** Every field absent. */
    public static final PodStatus EMPTY = PodStatusBuilder.builder().build();

    /** Copies the collections; null means the zero value. */
    public PodStatus {
        phase = Values.orEmpty(phase);
        conditions = Values.orEmpty(conditions);
        message = Values.orEmpty(message);
        reason = Values.orEmpty(reason);
        hostIP = Values.orEmpty(hostIP);
        podIP = Values.orEmpty(podIP);
        podIPs = Values.orEmpty(podIPs);
        initContainerStatuses = Values.orEmpty(initContainerStatuses);
        containerStatuses = Values.orEmpty(containerStatuses);
        unknownFields = Values.orNone(unknownFields);
    }

    /** Phase: the cluster has accepted the pod, and not all containers run yet. */
    public static final String PENDING = "Pending";
    /** Phase: the pod has a node, and at least one container runs. */
    public static final String RUNNING = "Running";
    /** Phase: every container has ended successfully, and none will restart. */
    public static final String SUCCEEDED = "Succeeded";
    /** Phase: every container has ended, and at least one failed. */
    public static final String FAILED = "Failed";

    /** Returns the condition of this type, or null if there is none. O(n) in the conditions. */
    public @Nullable PodCondition condition(String type) {
        for (PodCondition condition : conditions) {
            if (condition.type().equals(type)) {
                return condition;
            }
        }
        return null;
    }
}
