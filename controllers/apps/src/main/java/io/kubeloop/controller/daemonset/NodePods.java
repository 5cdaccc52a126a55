/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.daemonset;

import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.apps.DaemonSet;
import io.kubeloop.api.core.Node;
import io.kubeloop.api.core.Pod;
import io.kubeloop.api.core.PodStatus;
import io.kubeloop.controller.Pods;
import io.kubeloop.controller.events.EventRecorder;
import io.kubeloop.controller.events.EventType;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Creates a pod on each fitting node that has none, and deletes the surplus pods (upstream: {@code manage}).
 * Thread-safe for different sets; does not block.
 */
final class NodePods {

    private final FailedPodBackoff backoff;
    private final EventRecorder events;

    NodePods(FailedPodBackoff backoff, EventRecorder events) {
        this.backoff = backoff;
        this.events = events;
    }

    /**
     * Returns what is to do on each node.
     *
     * @param view the set, its nodes and its pods
     * @param again receives the delay after which to sync again, where a failed pod must wait
     */
    DaemonPodPlan plan(DaemonView view, Consumer<Duration> again) {
        DaemonPodPlan plan = new DaemonPodPlan();
        for (Node node : view.nodes()) {
            plan(view, node, plan, again);
        }
        // A pod that is pinned to a node that is gone is never bound, and the pod garbage collector leaves it alone.
        view.pods().forEach((node, pods) -> {
            if (view.node(node) == null) {
                pods.stream()
                        .filter(pod -> pod.spec().nodeName().isEmpty()
                                && !pod.metadata().isDeleting())
                        .forEach(plan.deletions()::add);
            }
        });
        return plan;
    }

    private void plan(DaemonView view, Node node, DaemonPodPlan plan, Consumer<Duration> again) {
        String name = node.metadata().name();
        List<Pod> pods = view.pods().get(name);
        boolean shouldRun = view.eligibility().shouldRun(node);
        if (pods == null) {
            if (shouldRun) {
                plan.nodes().add(name);
            }
            return;
        }
        if (!view.eligibility().shouldContinueRunning(node)) {
            pods.stream().filter(pod -> !pod.metadata().isDeleting()).forEach(plan.deletions()::add);
            return;
        }
        List<Pod> running = new ArrayList<>(1);
        for (Pod pod : pods) {
            if (pod.metadata().isDeleting()) {
                continue;
            }
            if (!pod.isFinished()) {
                running.add(pod);
            } else if (mayReplace(view.set(), pod, name, again)) {
                plan.deletions().add(pod);
            }
        }
        running.sort(DaemonPods.OLDEST_FIRST);
        if (!RolloutNumbers.allowsSurge(view.set())) {
            running.stream().skip(1).forEach(plan.deletions()::add);
        } else if (running.size() > 1) {
            prune(view, running, plan.deletions());
        } else if (running.isEmpty() && shouldRun) {
            plan.nodes().add(name);
        }
    }

    /** Returns whether a pod that has ended is deleted now, and records an event if so. */
    private boolean mayReplace(DaemonSet set, Pod pod, String node, Consumer<Duration> again) {
        String name = pod.metadata().namespace() + "/" + pod.metadata().name() + " on node " + node;
        if (!pod.status().phase().equals(PodStatus.FAILED)) {
            event(
                    set,
                    EventType.NORMAL,
                    "SucceededDaemonPod",
                    "Found succeeded daemon pod " + name + ", will try to delete it");
            return true;
        }
        Duration delay =
                backoff.tryBegin(set.metadata().uid() + "/" + set.status().observedGeneration() + "/" + node);
        if (!delay.isZero()) {
            again.accept(delay);
            return false;
        }
        event(set, EventType.WARNING, "FailedDaemonPod", "Found failed daemon pod " + name + ", will try to kill it");
        return true;
    }

    /** Records that a set selects every pod of its namespace; it would take over the pods of others. */
    void refuse(DaemonSet set) {
        event(
                set,
                EventType.WARNING,
                "SelectingAll",
                "This daemon set is selecting all pods. A non-empty selector is required.");
    }

    private void event(DaemonSet set, String type, String reason, String message) {
        events.event(ResourceTypes.DAEMON_SETS, set, type, reason, message);
    }

    /**
     * Leaves two pods only while a ready old pod waits for a new one to become available. Otherwise the new pod stays
     * alone.
     *
     * @param running the pods of one node, the oldest first
     */
    private static void prune(DaemonView view, List<Pod> running, List<Pod> deletions) {
        Pod newPod = oldest(view, running, true);
        Pod oldPod = oldest(view, running, false);
        running.stream().filter(pod -> pod != newPod && pod != oldPod).forEach(deletions::add);
        if (newPod != null && oldPod != null && (!oldPod.isReady() || isAvailable(view.set(), newPod, view.now()))) {
            deletions.add(oldPod);
        }
    }

    private static @Nullable Pod oldest(DaemonView view, List<Pod> running, boolean isNew) {
        return running.stream()
                .filter(pod -> view.hash().equals(pod.metadata().labels().get(DaemonPods.HASH_LABEL)) == isNew)
                .findFirst()
                .orElse(null);
    }

    /** Returns whether the pod has been ready for as long as the set requires. */
    static boolean isAvailable(DaemonSet set, Pod pod, Instant now) {
        return Pods.isPodAvailable(pod, set.spec().minReadySeconds(), now);
    }
}
