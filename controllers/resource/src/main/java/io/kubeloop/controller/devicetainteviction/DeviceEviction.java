/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.devicetainteviction;

import io.kubeloop.api.ResourceTypes;
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
record DeviceEviction(ResourceClient<Pod> client, EventRecorder events, Clock clock, ControllerMetrics metrics) {

    static final ControllerMetric DELETIONS = ControllerMetric.counter(
            "device_taint_eviction_controller_pod_deletions_total",
            "Pods deleted because of taints of devices since the start");

    private static final DisruptionTarget DISRUPTION = new DisruptionTarget(
            "DeletionByDeviceTaintManager", "Device Taint manager: deleting due to NoExecute taint");

    /**
     * Evicts the pod. A pod that is gone counts as evicted.
     *
     * @throws ApiException if the server refuses; the caller tries again
     */
    void evict(Pod pod) {
        report(pod, "Marking for deletion");
        String uid = pod.metadata().uid();
        try {
            if (!DISRUPTION.isOn(pod)) {
                // Upstream's other evictions state the generation that they observed, this one does not.
                JsonObject condition =
                        DISRUPTION.condition(pod, clock.instant()).without("observedGeneration");
                JsonObject status = JsonObject.of("conditions", JsonArray.of(condition));
                JsonObject patch = JsonObject.of("status", status).with("metadata", JsonObject.EMPTY.with("uid", uid));
                client.patch(pod.objectName(), Patch.strategicMerge(patch.toString()), "status");
            }
            client.delete(pod.objectName(), new DeleteOptions(null, null, uid, null));
            metrics.record(DELETIONS, 1);
        } catch (ApiException e) {
            if (!e.isNotFound()) {
                throw e;
            }
        }
    }

    /** Records that a pod stays. */
    void cancelled(Pod pod) {
        report(pod, "Cancelling deletion");
    }

    private void report(Pod pod, String message) {
        events.event(ResourceTypes.PODS, pod, EventType.NORMAL, "DeviceTaintManagerEviction", message);
    }
}
