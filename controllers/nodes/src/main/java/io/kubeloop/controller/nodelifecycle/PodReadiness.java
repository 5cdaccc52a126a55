/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.nodelifecycle;

import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.Time;
import io.kubeloop.api.client.ApiException;
import io.kubeloop.api.client.ResourceClient;
import io.kubeloop.api.core.Pod;
import io.kubeloop.api.core.PodCondition;
import io.kubeloop.api.core.PodConditionBuilder;
import io.kubeloop.api.core.PodStatusBuilder;
import io.kubeloop.controller.Errors;
import io.kubeloop.controller.events.EventRecorder;
import io.kubeloop.controller.events.EventType;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;

/**
 * Marks the pods of a node that is not ready as not ready, so Services stop sending to them (upstream: {@code
 * MarkPodsNotReady}). Only the kubelet marks them as ready again. Thread-safe; blocks for a request per pod.
 *
 * @param client writes the status of pods
 * @param events records what was marked
 * @param clock the time of the transition
 */
record PodReadiness(ResourceClient<Pod> client, EventRecorder events, Clock clock) {

    /**
     * Marks each pod that has the condition Ready.
     *
     * @throws RuntimeException after the last pod, if one could not be written
     */
    void markNotReady(List<Pod> pods) {
        List<RuntimeException> failures = new ArrayList<>();
        for (Pod pod : pods) {
            try {
                mark(pod);
            } catch (RuntimeException e) {
                failures.add(e);
            }
        }
        if (!failures.isEmpty()) {
            throw Errors.aggregate(failures);
        }
    }

    private void mark(Pod pod) {
        PodCondition ready = pod.status().condition(PodCondition.READY);
        if (ready == null || ready.status().equals("False")) {
            return;
        }
        PodCondition changed = PodConditionBuilder.builder(ready)
                .status("False")
                .lastTransitionTime(new Time(clock.instant()))
                .build();
        List<PodCondition> conditions = pod.status().conditions().stream()
                .map(condition -> condition == ready ? changed : condition)
                .toList();
        try {
            client.updateStatus(pod.withStatus(PodStatusBuilder.builder(pod.status())
                    .conditions(conditions)
                    .build()));
        } catch (ApiException e) {
            if (e.isNotFound()) {
                return;
            }
            throw e;
        }
        events.event(ResourceTypes.PODS, pod, EventType.WARNING, "NodeNotReady", "Node is not ready");
    }
}
