/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.daemonset;

import io.kubeloop.api.core.Pod;
import java.util.ArrayList;
import java.util.List;

/**
 * The creations and deletions that a sync has decided. Confined to the thread of the sync.
 *
 * @param nodes the nodes that need a pod
 * @param deletions the pods to delete
 */
record DaemonPodPlan(List<String> nodes, List<Pod> deletions) {

    /** Creates an empty plan. */
    DaemonPodPlan() {
        this(new ArrayList<>(), new ArrayList<>());
    }

    boolean isEmpty() {
        return nodes.isEmpty() && deletions.isEmpty();
    }
}
