/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.pods;

import io.kubeloop.api.core.Container;
import io.kubeloop.api.core.ContainerStatus;
import io.kubeloop.api.core.Pod;
import io.kubeloop.api.core.PodCondition;
import io.kubeloop.api.core.PodStatus;
import io.kubeloop.controller.pods.AgeMagnitudes.Since;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The order in which a scale down deletes pods, the least useful first (upstream: {@code ActivePodsWithRanks}
 * with the deletion cost of KEP-2255, and the sidecars of kubernetes pull request 124952).
 *
 * <ol>
 *   <li>not assigned to a node before assigned;
 *   <li>pending before unknown before running;
 *   <li>not ready before ready;
 *   <li>lower {@value #POD_DELETION_COST} annotation before higher; absent or malformed is 0;
 *   <li>more related pods on the node before fewer, so the remaining pods are spread;
 *   <li>ready for a shorter time before longer; an unknown time counts as just now;
 *   <li>more restarts before fewer, by the container with the most; init containers do not count;
 *   <li>more sidecar restarts before fewer, by the sidecar with the most (an init container that is always restarted);
 *   <li>created later before earlier; an unknown time counts as just now.
 * </ol>
 *
 * <p>Pods that are equal in all of these keep their order.
 *
 * <p>Jobs compare exact ages. All others compare their binary magnitudes (KEP-2185): between two ages of one magnitude
 * the UID decides, which is random. With exact ages, a scale down after a scale up would delete exactly the added
 * pods, and undo the scheduler's spread over zones.
 */
public final class ActivePodsWithRanks {

    /** The annotation that sets a pod's deletion cost: a 32-bit integer (upstream: KEP-2255). */
    public static final String POD_DELETION_COST = "controller.kubernetes.io/pod-deletion-cost";

    /** An integer without plus sign and leading zeros, as the API server validates it. */
    private static final Pattern COST = Pattern.compile("-[0-9]{1,18}|[1-9][0-9]{0,17}|0");

    private ActivePodsWithRanks() {}

    /**
     * Returns the pods in deletion order, by the magnitudes of their ages: the largest power of two, in nanoseconds,
     * that each age has reached (upstream: the feature gate {@code LogarithmicScaleDown}). O(n log n).
     *
     * @param rank the number of related pods on the pod's node, itself included
     * @param now the time at which ages are measured
     */
    public static List<Pod> inDeletionOrder(List<Pod> pods, ToIntFunction<Pod> rank, Instant now) {
        // The order is not transitive: the UID decides between different ages, restarts between equal ones. So A can
        // go before B, B before C, and C before A. A heap terminates with any comparator; a sort may throw.
        Queue<Candidate> heap = new PriorityQueue<>(
                Math.max(1, pods.size()), order(new AgeMagnitudes(now)).thenComparingInt(Candidate::place));
        for (int place = 0; place < pods.size(); place++) {
            Pod pod = pods.get(place);
            heap.add(Candidate.of(place, pod, deletionCost(pod), rank.applyAsInt(pod)));
        }
        return Stream.generate(heap::remove)
                .limit(pods.size())
                .map(Candidate::pod)
                .toList();
    }

    /**
     * Returns the pods in deletion order, by their exact ages, without costs and ranks (upstream: {@code ActivePods},
     * which jobs use). O(n log n).
     */
    public static List<Pod> inDeletionOrder(List<Pod> pods) {
        return IntStream.range(0, pods.size())
                .mapToObj(place -> Candidate.of(place, pods.get(place), 0, 0))
                .sorted(order(AgeMagnitudes.LATEST_OR_UNKNOWN_FIRST))
                .map(Candidate::pod)
                .toList();
    }

    /** A pod and the values that it is compared by, computed once instead of in every comparison. */
    private record Candidate(
            int place,
            Pod pod,
            boolean assigned,
            int phase,
            boolean ready,
            int cost,
            int rank,
            Since readySince,
            int restarts,
            int sidecarRestarts,
            Since created) {

        static Candidate of(int place, Pod pod, int cost, int rank) {
            PodCondition ready = pod.status().condition(PodCondition.READY);
            boolean isReady = ready != null && ready.isTrue();
            String uid = pod.metadata().uid();
            return new Candidate(
                    place,
                    pod,
                    !pod.spec().nodeName().isEmpty(),
                    phaseOrdinal(pod.status().phase()),
                    isReady,
                    cost,
                    rank,
                    new Since(ready != null && isReady ? ready.lastTransitionTime() : null, uid),
                    maxRestarts(pod.status().containerStatuses(), name -> true),
                    maxSidecarRestarts(pod),
                    new Since(pod.metadata().creationTimestamp(), uid));
        }
    }

    private static Comparator<Candidate> order(Comparator<Since> ages) {
        return Comparator.comparing(Candidate::assigned)
                .thenComparingInt(Candidate::phase)
                .thenComparing(Candidate::ready)
                .thenComparingInt(Candidate::cost)
                .thenComparing(Comparator.comparingInt(Candidate::rank).reversed())
                .thenComparing(Candidate::readySince, ages)
                .thenComparing(Comparator.comparingInt(Candidate::restarts).reversed())
                .thenComparing(
                        Comparator.comparingInt(Candidate::sidecarRestarts).reversed())
                .thenComparing(Candidate::created, ages);
    }

    private static int phaseOrdinal(String phase) {
        return switch (phase) {
            case "Unknown" -> 1;
            case PodStatus.RUNNING -> 2;
            default -> 0;
        };
    }

    private static int deletionCost(Pod pod) {
        String cost = pod.metadata().annotations().get(POD_DELETION_COST);
        if (cost == null || !COST.matcher(cost).matches()) {
            return 0;
        }
        long value = Long.parseLong(cost);
        return value == (int) value ? (int) value : 0;
    }

    private static int maxSidecarRestarts(Pod pod) {
        Set<String> sidecars =
                pod.spec().sidecars().stream().map(Container::name).collect(Collectors.toSet());
        return maxRestarts(pod.status().initContainerStatuses(), sidecars::contains);
    }

    private static int maxRestarts(List<ContainerStatus> containers, Predicate<String> counts) {
        int max = 0;
        for (ContainerStatus container : containers) {
            if (counts.test(container.name())) {
                max = Math.max(max, container.restartCount());
            }
        }
        return max;
    }
}
