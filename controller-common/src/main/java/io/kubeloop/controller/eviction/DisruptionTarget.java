/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.eviction;

import io.kubeloop.api.Time;
import io.kubeloop.api.core.Pod;
import io.kubeloop.api.core.PodCondition;
import io.kubeloop.json.tree.JsonObject;
import java.time.Instant;

/**
 * The pod condition {@code DisruptionTarget}, which states why a controller is about to delete the pod. Job's failure
 * policies match it. Immutable.
 *
 * @param reason for programs, in CamelCase
 * @param message for people
 */
public record DisruptionTarget(String reason, String message) {

    private static final String TYPE = "DisruptionTarget";

    /** Returns whether the pod has this condition with this reason already. */
    public boolean isOn(Pod pod) {
        PodCondition condition = pod.status().condition(TYPE);
        return condition != null
                && condition.isTrue()
                && condition.reason().equals(reason)
                && condition.message().equals(message);
    }

    /**
     * Returns the condition as JSON, for a strategic merge patch of the pod's status.
     *
     * @param now the time of the transition
     */
    public JsonObject condition(Pod pod, Instant now) {
        return JsonObject.EMPTY
                .with("type", TYPE)
                .with("status", "True")
                .with("observedGeneration", pod.metadata().generation())
                .with("lastTransitionTime", new Time(now).toString())
                .with("reason", reason)
                .with("message", message);
    }
}
