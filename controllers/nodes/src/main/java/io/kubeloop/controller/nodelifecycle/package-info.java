/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The controller that watches the health of nodes (upstream: {@code pkg/controller/nodelifecycle}). A kubelet reports
 * by the node's status and by a lease. The controller turns conditions into taints, marks the pods of silent nodes as
 * not ready, and taints failed nodes with {@code NoExecute} at a limited rate per zone.
 *
 * <p>Entry type: {@link io.kubeloop.controller.nodelifecycle.NodeLifecycleController}. {@code NodeMonitor} is one pass
 * over all nodes, {@code HealthRecords} remembers when each node was last heard of, {@code Zones} limits the taints,
 * {@code ConditionTaints} handles one changed node, {@code NodeTaints} writes taints, and {@code PodReadiness} writes
 * pods.
 *
 * <p>Threading: one worker runs the passes and empties the zones. Other workers handle changed nodes and new pods; they
 * share {@code HealthRecords}, which is thread-safe.
 */
@NullMarked
package io.kubeloop.controller.nodelifecycle;

import org.jspecify.annotations.NullMarked;
