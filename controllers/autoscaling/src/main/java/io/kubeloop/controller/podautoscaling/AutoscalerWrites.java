/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.podautoscaling;

import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.autoscaling.HorizontalPodAutoscaler;
import io.kubeloop.api.client.ResourceClient;
import io.kubeloop.controller.WriteBarrier;

/**
 * Writes the status of autoscalers. Thread-safe.
 *
 * @param client writes; blocks until the server responds
 * @param barrier follows the cache of autoscalers
 */
record AutoscalerWrites(ResourceClient<HorizontalPodAutoscaler> client, WriteBarrier barrier) {

    /** Returns whether a sync must be put off; see {@link WriteBarrier#isBehind}. */
    boolean isBehind(ObjectName autoscaler) {
        return barrier.isBehind(autoscaler);
    }

    void updateStatus(HorizontalPodAutoscaler changed) {
        barrier.wrote(changed.objectName(), ResourceTypes.HORIZONTAL_POD_AUTOSCALERS, client.updateStatus(changed));
    }

    /** Drops the records of an autoscaler that no longer exists. */
    void forget(ObjectName autoscaler) {
        barrier.forget(autoscaler);
    }
}
