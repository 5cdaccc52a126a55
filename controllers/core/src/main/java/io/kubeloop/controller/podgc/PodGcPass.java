/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.podgc;

import io.kubeloop.api.Condition;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.Time;
import io.kubeloop.api.core.Node;
import io.kubeloop.api.core.Pod;
import io.kubeloop.cache.Lister;
import io.kubeloop.controller.ControllerMetric;
import io.kubeloop.controller.ControllerMetrics;
import io.kubeloop.controller.parallel.ParallelCalls;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One round over all pods. Confined to the worker; {@link #run} blocks. */
final class PodGcPass {

    private static final String OUT_OF_SERVICE = "node.kubernetes.io/out-of-service";

    /** Evicted pods first: their controllers have replaced them. Then the oldest. */
    static final Comparator<Pod> ORDER = Comparator.comparing((Pod pod) -> !isEvicted(pod))
            .thenComparing(PodGcPass::creation)
            .thenComparing(pod -> pod.metadata().name());

    private static final ControllerMetric DELETIONS = ControllerMetric.counter(
            "pod_gc_collector_force_delete_pods_total", "Attempts to delete a pod", "namespace", "reason");
    private static final ControllerMetric ERRORS = ControllerMetric.counter(
            "pod_gc_collector_force_delete_pod_errors_total", "Failed attempts to delete a pod", "namespace", "reason");

    private static final Logger LOG = LoggerFactory.getLogger(PodGcPass.class);

    private final Lister<Pod> pods;
    private final Lister<Node> nodes;
    private final MissingNodes missingNodes;
    private final PodRemoval removal;
    private final int threshold;
    private final Executor executor;
    private final ControllerMetrics metrics;

    PodGcPass(
            Lister<Pod> pods,
            Lister<Node> nodes,
            MissingNodes missingNodes,
            PodRemoval removal,
            int threshold,
            Executor executor,
            ControllerMetrics metrics) {
        this.pods = pods;
        this.nodes = nodes;
        this.missingNodes = missingNodes;
        this.removal = removal;
        this.threshold = threshold;
        this.executor = executor;
        this.metrics = metrics;
    }

    /** Removes the pods that are due. A pod that cannot be removed stays until the next round. */
    void run() {
        List<Pod> all = pods.list();
        if (threshold > 0) {
            removeFinished(all);
        }
        removeEach("out-of-service", all.stream().filter(this::isOutOfService), removal::remove);
        removeOrphans(all);
        removeEach(
                "unscheduled",
                all.stream()
                        .filter(pod -> pod.metadata().isDeleting()
                                && pod.spec().nodeName().isEmpty()),
                removal::remove);
    }

    private void removeFinished(List<Pod> all) {
        List<Pod> finished = all.stream().filter(PodGcPass::hasEnded).toList();
        int surplus = finished.size() - threshold;
        if (surplus > 0) {
            LOG.info("Deleting {} of {} finished pods; {} are kept", surplus, finished.size(), threshold);
            removeEach("terminated", finished.stream().sorted(ORDER).limit(surplus), removal::remove);
        }
    }

    /** Returns whether the pod is neither pending nor running; a pod of an unknown state may still run. */
    private static boolean hasEnded(Pod pod) {
        return !Set.of("Pending", "Running", "Unknown").contains(pod.status().phase());
    }

    private static boolean isEvicted(Pod pod) {
        return pod.status().phase().equals("Failed") && pod.status().reason().equals("Evicted");
    }

    private static Instant creation(Pod pod) {
        Time created = pod.metadata().creationTimestamp();
        return created == null ? Instant.MIN : created.instant();
    }

    private boolean isOutOfService(Pod pod) {
        if (!pod.metadata().isDeleting()) {
            return false;
        }
        Node node = nodes.get(new ObjectName("", pod.spec().nodeName()));
        return node != null
                && node.spec().taints().stream().anyMatch(taint -> taint.key().equals(OUT_OF_SERVICE))
                && node.status().conditions().stream()
                        .filter(condition -> condition.type().equals("Ready"))
                        .noneMatch(Condition::isTrue);
    }

    private void removeOrphans(List<Pod> all) {
        Set<String> existing =
                nodes.list().stream().map(node -> node.metadata().name()).collect(Collectors.toSet());
        Set<String> used = all.stream()
                .map(pod -> pod.spec().nodeName())
                .filter(node -> !node.isEmpty())
                .collect(Collectors.toSet());
        Set<String> gone = missingNodes.gone(used, existing);
        removeEach(
                "orphaned", all.stream().filter(pod -> gone.contains(pod.spec().nodeName())), removal::removeOrphan);
    }

    /** Removes the pods. The reason is upstream's word in metrics. */
    private void removeEach(String reason, Stream<Pod> due, Consumer<Pod> remove) {
        List<Runnable> calls = due.<Runnable>map(pod -> () -> {
                    metrics.record(DELETIONS, 1, pod.metadata().namespace(), reason);
                    try {
                        LOG.info("Deleting pod {}: {}", pod.objectName(), reason);
                        remove.accept(pod);
                    } catch (RuntimeException e) {
                        metrics.record(ERRORS, 1, pod.metadata().namespace(), reason);
                        LOG.warn(
                                "Cannot delete pod {}; the next round tries again: {}",
                                pod.objectName(),
                                e.getMessage());
                    }
                })
                .toList();
        ParallelCalls.run(calls, executor);
    }
}
