/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.tainteviction;

import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ObjectReference;
import io.kubeloop.api.ObjectReferenceBuilder;
import io.kubeloop.api.client.ApiException;
import io.kubeloop.api.client.DeleteOptions;
import io.kubeloop.api.client.Patch;
import io.kubeloop.api.client.ResourceClient;
import io.kubeloop.api.core.Pod;
import io.kubeloop.controller.ControllerMetric;
import io.kubeloop.controller.ControllerMetrics;
import io.kubeloop.controller.events.EventRecorder;
import io.kubeloop.controller.events.EventType;
import io.kubeloop.controller.eviction.DisruptionTarget;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonObject;
import java.time.Clock;

/**
 * Evicts a pod: writes an event and the condition that names the reason, then deletes the pod with its own grace
 * period. Thread-safe; {@link #evict} blocks for two requests.
 *
 * @param client writes pods
 * @param events records evictions and their cancellation
 * @param clock the time of the condition
 * @param metrics counts deletions
 */
record PodEviction(ResourceClient<Pod> client, EventRecorder events, Clock clock, ControllerMetrics metrics) {

    private static final String REASON = "TaintManagerEviction";
    private static final DisruptionTarget DISRUPTION =
            new DisruptionTarget("DeletionByTaintManager", "Taint manager: deleting due to NoExecute taint");
    static final ControllerMetric DELETIONS = ControllerMetric.counter(
            "taint_eviction_controller_pod_deletions_total", "Pods deleted because of taints since the start");

    /**
     * Evicts the pod. A pod that is gone counts as evicted.
     *
     * @throws ApiException if the server refuses; the caller tries again
     */
    void evict(Pod pod) {
        events.event(
                reference(pod.objectName()), EventType.NORMAL, REASON, "Marking for deletion Pod " + pod.objectName());
        try {
            if (!DISRUPTION.isOn(pod)) {
                JsonObject status =
                        JsonObject.of("conditions", JsonArray.of(DISRUPTION.condition(pod, clock.instant())));
                JsonObject patch = JsonObject.of("status", status)
                        .with(
                                "metadata",
                                JsonObject.EMPTY.with("uid", pod.metadata().uid()));
                client.patch(pod.objectName(), Patch.strategicMerge(patch.toString()), "status");
            }
            client.delete(pod.objectName(), DeleteOptions.DEFAULT);
            metrics.record(DELETIONS, 1);
        } catch (ApiException e) {
            if (!e.isNotFound()) {
                throw e;
            }
        }
    }

    /** Records that a pod stays. */
    void cancelled(ObjectName pod) {
        events.event(reference(pod), EventType.NORMAL, REASON, "Cancelling deletion of Pod " + pod);
    }

    /** Upstream's events about evictions name the pod without its UID. */
    private static ObjectReference reference(ObjectName pod) {
        return ObjectReferenceBuilder.builder()
                .apiVersion("v1")
                .kind("Pod")
                .namespace(pod.namespace())
                .name(pod.name())
                .build();
    }
}
