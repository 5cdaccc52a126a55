/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.disruption;

import io.kubeloop.api.ObjectName;
import io.kubeloop.api.Time;
import io.kubeloop.api.client.ResourceClient;
import io.kubeloop.api.core.Pod;
import io.kubeloop.api.core.PodCondition;
import io.kubeloop.api.core.PodConditionBuilder;
import io.kubeloop.api.core.PodStatusBuilder;
import io.kubeloop.cache.Lister;
import io.kubeloop.workqueue.DelayingQueue;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Resets the condition {@code DisruptionTarget} of pods that were not deleted within two minutes (upstream: {@code
 * syncStalePodDisruption}).
 *
 * <p>Thread-safe for different pods. Blocks while it writes.
 */
final class StaleDisruptions {

    private static final String DISRUPTION_TARGET = "DisruptionTarget";
    private static final Duration TIMEOUT = Duration.ofMinutes(2);

    private final Lister<Pod> pods;
    private final ResourceClient<Pod> client;
    private final DelayingQueue<ObjectName> queue;
    private final Clock clock;

    StaleDisruptions(Lister<Pod> pods, ResourceClient<Pod> client, DelayingQueue<ObjectName> queue, Clock clock) {
        this.pods = pods;
        this.client = client;
        this.queue = queue;
        this.clock = clock;
    }

    /** Queues the pod for the time at which its condition is stale, if it has one. Does not block. */
    void observe(Pod pod) {
        Duration left = left(pod);
        if (left != null) {
            queue.addAfter(pod.objectName(), left);
        }
    }

    /**
     * Resets the condition of a pod if it is stale.
     *
     * @throws RuntimeException if the server rejected the write or did not respond; the caller must retry the key
     */
    void sync(ObjectName name) {
        Pod pod = pods.get(name);
        Duration left = pod == null ? null : left(pod);
        if (pod == null || left == null) {
            return;
        }
        if (!left.isZero()) {
            queue.addAfter(name, left);
            return;
        }
        List<PodCondition> conditions = pod.status().conditions().stream()
                .map(condition -> condition.type().equals(DISRUPTION_TARGET) ? reset(condition) : condition)
                .toList();
        client.updateStatus(pod.withStatus(
                PodStatusBuilder.builder(pod.status()).conditions(conditions).build()));
    }

    private PodCondition reset(PodCondition condition) {
        return PodConditionBuilder.builder(condition)
                .status("False")
                .reason("")
                .message("")
                .lastTransitionTime(new Time(clock.instant()))
                .build();
    }

    /** Returns the time until the pod's condition is stale, at least 0; null if it has none that can become stale. */
    private @Nullable Duration left(Pod pod) {
        PodCondition condition = pod.status().condition(DISRUPTION_TARGET);
        if (condition == null
                || !condition.isTrue()
                || condition.reason().equals("TerminationByKubelet")
                || pod.metadata().isDeleting()
                || pod.isFinished()) {
            return null;
        }
        Time since = condition.lastTransitionTime();
        Duration left = since == null
                ? Duration.ZERO
                : Duration.between(clock.instant(), since.instant().plus(TIMEOUT));
        return left.isNegative() ? Duration.ZERO : left;
    }
}
