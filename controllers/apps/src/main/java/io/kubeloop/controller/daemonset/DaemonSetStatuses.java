/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.daemonset;

import io.kubeloop.api.apps.DaemonSet;
import io.kubeloop.api.apps.DaemonSetStatus;
import io.kubeloop.api.apps.DaemonSetStatusBuilder;
import io.kubeloop.api.core.Node;
import io.kubeloop.api.core.Pod;
import java.util.Collections;
import java.util.List;

/** Computes the status of a set (upstream: {@code updateDaemonSetStatus}). Stateless. */
final class DaemonSetStatuses {

    private DaemonSetStatuses() {}

    /** Returns the status of a set as its pods were before the writes of the sync. The oldest pod of a node counts. */
    static DaemonSetStatus of(DaemonView view) {
        DaemonSet set = view.set();
        Long generation = DaemonPods.generation(set);
        int desired = 0;
        int current = 0;
        int misscheduled = 0;
        int ready = 0;
        int updated = 0;
        int available = 0;
        for (Node node : view.nodes()) {
            List<Pod> pods = view.pods().getOrDefault(node.metadata().name(), List.of());
            if (!view.eligibility().shouldRun(node)) {
                misscheduled += pods.isEmpty() ? 0 : 1;
                continue;
            }
            desired++;
            if (pods.isEmpty()) {
                continue;
            }
            current++;
            Pod oldest = Collections.min(pods, DaemonPods.OLDEST_FIRST);
            ready += oldest.isReady() ? 1 : 0;
            available += NodePods.isAvailable(set, oldest, view.now()) ? 1 : 0;
            updated += DaemonPods.isUpdated(oldest, view.hash(), generation) ? 1 : 0;
        }
        return DaemonSetStatusBuilder.builder(set.status())
                .observedGeneration(set.metadata().generation())
                .desiredNumberScheduled(desired)
                .currentNumberScheduled(current)
                .numberMisscheduled(misscheduled)
                .numberReady(ready)
                .updatedNumberScheduled(updated)
                .numberAvailable(available)
                .numberUnavailable(desired - available)
                .build();
    }
}
