/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.daemonset;

import io.kubeloop.api.core.Node;
import io.kubeloop.api.core.Pod;
import io.kubeloop.controller.ControllerException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Replaces old pods within the limits of a rolling update (upstream: {@code rollingUpdate}). Without a surge it deletes
 * old pods, and the next sync creates the new ones. With a surge it creates new pods beside the old ones. Stateless;
 * does not block.
 */
final class RollingReplacement {

    /** The pods of one node that are not terminating: at most one of the current template, and at most one other. */
    private record Pair(@Nullable Pod newPod, @Nullable Pod oldPod) {}

    private RollingReplacement() {}

    /**
     * Returns the next step.
     *
     * @throws ControllerException if a pod is on a node that the cache does not have
     */
    static DaemonPodPlan plan(DaemonView view) {
        Map<String, List<Pod>> pods = new TreeMap<>(view.pods());
        int wanted = 0;
        for (Node node : view.nodes()) {
            if (view.eligibility().shouldRun(node)) {
                wanted++;
                pods.putIfAbsent(node.metadata().name(), List.of());
            }
        }
        RolloutNumbers limits = RolloutNumbers.of(view.set(), wanted).orOneUnavailable(wanted);
        return limits.maxSurge() == 0
                ? delete(view, pods, limits.maxUnavailable())
                : surge(view, pods, limits.maxSurge(), wanted);
    }

    /** Returns the pods of a node, or null if there are more than two kinds allow; the next sync deletes the excess. */
    private static @Nullable Pair pair(DaemonView view, List<Pod> pods) {
        Long generation = DaemonPods.generation(view.set());
        Pod newPod = null;
        Pod oldPod = null;
        for (Pod pod : pods) {
            if (pod.metadata().isDeleting()) {
                continue;
            }
            if (DaemonPods.isUpdated(pod, view.hash(), generation)) {
                if (newPod != null) {
                    return null;
                }
                newPod = pod;
            } else {
                if (oldPod != null) {
                    return null;
                }
                oldPod = pod;
            }
        }
        return new Pair(newPod, oldPod);
    }

    private static boolean isAvailable(DaemonView view, Pod pod) {
        return NodePods.isAvailable(view.set(), pod, view.now());
    }

    /**
     * Unavailable old pods are deleted at once. Available old pods are deleted while fewer nodes than allowed are
     * without an available pod.
     */
    private static DaemonPodPlan delete(DaemonView view, Map<String, List<Pod>> podsByNode, int maxUnavailable) {
        DaemonPodPlan plan = new DaemonPodPlan();
        List<Pod> candidates = new ArrayList<>();
        int unavailable = 0;
        for (List<Pod> pods : podsByNode.values()) {
            Pair pair = pair(view, pods);
            Pod newPod = pair == null ? null : pair.newPod();
            Pod oldPod = pair == null ? null : pair.oldPod();
            if (newPod != null && oldPod == null) {
                unavailable += isAvailable(view, newPod) ? 0 : 1;
            } else if (newPod == null && oldPod != null && isAvailable(view, oldPod)) {
                candidates.add(oldPod);
            } else {
                // Where there is no single pod, the next sync creates or deletes pods.
                unavailable++;
                if (newPod == null && oldPod != null) {
                    plan.deletions().add(oldPod);
                }
            }
        }
        candidates.stream().limit(Math.max(0, maxUnavailable - unavailable)).forEach(plan.deletions()::add);
        return plan;
    }

    private static DaemonPodPlan surge(DaemonView view, Map<String, List<Pod>> podsByNode, int maxSurge, int wanted) {
        DaemonPodPlan plan = new DaemonPodPlan();
        List<String> candidates = new ArrayList<>();
        List<Pod> misplaced = new ArrayList<>();
        int surging = 0;
        int available = 0;
        for (Map.Entry<String, List<Pod>> entry : podsByNode.entrySet()) {
            Pair pair = pair(view, entry.getValue());
            if (pair == null) {
                surging++;
                continue;
            }
            Pod newPod = pair.newPod();
            Pod oldPod = pair.oldPod();
            Pod counted = oldPod != null ? oldPod : newPod;
            boolean isCountedAvailable = counted != null && isAvailable(view, counted);
            available += isCountedAvailable ? 1 : 0;
            if (oldPod == null) {
                continue; // the next sync creates the pod if the node still fits
            }
            if (newPod != null) {
                if (isAvailable(view, newPod)) {
                    plan.deletions().add(oldPod);
                } else {
                    surging++;
                }
            } else if (!shouldRun(view, entry.getKey())) {
                (isCountedAvailable ? misplaced : plan.deletions()).add(oldPod);
            } else {
                (isCountedAvailable ? candidates : plan.nodes()).add(entry.getKey());
            }
        }
        // A pod on a node that no longer fits stays until another one is available in its place.
        misplaced.stream().limit(Math.max(0, available - wanted)).forEach(plan.deletions()::add);
        candidates.stream().limit(Math.max(0, maxSurge - surging)).forEach(plan.nodes()::add);
        return plan;
    }

    private static boolean shouldRun(DaemonView view, String name) {
        Node node = view.node(name);
        if (node == null) {
            throw new ControllerException(
                    "couldn't get node for nodeName \"" + name + "\": node \"" + name + "\" not found", null);
        }
        return view.eligibility().shouldRun(node);
    }
}
