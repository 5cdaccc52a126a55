package io.kubeloop.controller.podgc;

import io.kubeloop.api.Time;
import io.kubeloop.api.client.ApiException;
import io.kubeloop.api.client.DeleteOptions;
import io.kubeloop.api.client.Patch;
import io.kubeloop.api.client.ResourceClient;
import io.kubeloop.api.core.Pod;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonObject;
import java.time.Clock;

/**
 * Fails a pod and deletes it at once. No kubelet reports the end of such a pod, and others, such as the Job controller, need its
 * phase. Thread-safe; {@link #remove} blocks.
 */
final class PodRemoval {

    private static final DeleteOptions AT_ONCE = new DeleteOptions(0L, null, null, null);

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
        JsonObject condition = JsonObject.EMPTY
                .with("type", "DisruptionTarget")
                .with("status", "True")
                .with("observedGeneration", pod.metadata().generation())
                .with("lastTransitionTime", new Time(clock.instant()).toString())
                .with("reason", "DeletionByPodGC")
                .with("message", "PodGC: node no longer exists");
        remove(pod, JsonArray.of(condition));
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
