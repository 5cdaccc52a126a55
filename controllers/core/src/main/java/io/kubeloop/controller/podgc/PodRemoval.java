/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.podgc;

import io.kubeloop.api.client.ApiException;
import io.kubeloop.api.client.DeleteOptions;
import io.kubeloop.api.client.Patch;
import io.kubeloop.api.client.ResourceClient;
import io.kubeloop.api.core.Pod;
import io.kubeloop.controller.eviction.DisruptionTarget;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonObject;
import java.time.Clock;

/**
 * Fails a pod and deletes it at once. No kubelet reports the end of such a pod, and others, such as the Job controller,
 * need its phase. Thread-safe; {@link #remove} blocks.
 */
final class PodRemoval {

    private static final DeleteOptions AT_ONCE = new DeleteOptions(0L, null, null, null);

    private static final DisruptionTarget NODE_IS_GONE =
            new DisruptionTarget("DeletionByPodGC", "PodGC: node no longer exists");

    private final ResourceClient<Pod> client;
    private final Clock clock;

    PodRemoval(ResourceClient<Pod> client, Clock clock) {
        this.client = client;
        this.clock = clock;
    }

    /** Removes a pod. A pod that is gone already counts as removed. */
    void remove(Pod pod) {
        remove(pod, JsonArray.EMPTY);
    }

    /** Removes a pod of a node that is gone, and names the reason in a condition. */
    void removeOrphan(Pod pod) {
        remove(pod, JsonArray.of(NODE_IS_GONE.condition(pod, clock.instant())));
    }

    private void remove(Pod pod, JsonArray conditions) {
        try {
            if (!isFinished(pod)) {
                client.patch(pod.objectName(), Patch.strategicMerge(failure(pod, conditions)), "status");
            }
            client.delete(pod.objectName(), AT_ONCE);
        } catch (ApiException e) {
            if (!e.isNotFound()) {
                throw e;
            }
        }
    }

    private static String failure(Pod pod, JsonArray conditions) {
        JsonObject status = JsonObject.EMPTY
                .with("phase", "Failed")
                .with("observedGeneration", pod.metadata().generation());
        return JsonObject.EMPTY
                .with("metadata", JsonObject.EMPTY.with("uid", pod.metadata().uid()))
                .with("status", conditions.isEmpty() ? status : status.with("conditions", conditions))
                .toString();
    }

    static boolean isFinished(Pod pod) {
        String phase = pod.status().phase();
        return phase.equals("Succeeded") || phase.equals("Failed");
    }
}
