package io.kubeloop.controller;

import io.kubeloop.api.Time;
import io.kubeloop.api.core.Container;
import io.kubeloop.api.core.ContainerStatus;
import io.kubeloop.api.core.Pod;
import io.kubeloop.api.core.PodCondition;
import io.kubeloop.api.core.PodStatus;
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
import org.jspecify.annotations.Nullable;

/**
 * The order in which a scale down removes pods, those that are missed least first (upstream: {@code ActivePodsWithRanks}
 * of v1.20, the deletion cost of v1.21 and KEP-2255, and the sidecars of kubernetes pull request 124952).
 *
 * <ol>
 *   <li>not assigned to a node before assigned;
 *   <li>pending before unknown before running;
 *   <li>not ready before ready;
 *   <li>lower {@value #POD_DELETION_COST} annotation before higher; absent or malformed is 0;
 *   <li>more pods of its kin on the node before fewer: spreads what remains;
 *   <li>ready for a shorter time before longer; not known since when counts as just now;
 *   <li>more restarts, by its worst container, before fewer; init containers do not count;
 *   <li>more restarts, by its worst sidecar (an init container that is always restarted), before fewer;
 *   <li>created later before earlier; not known when counts as just now.
 * </ol>
 *
 * <p>Pods that tie in everything keep their order.
 *
 * <p>Ages can be compared exactly, as v1.20 does, or by their magnitudes (KEP-2185, since v1.22): of two that are equal but for a
 * factor of less than two the UID decides, that is chance. Else a scale down after a scale up takes away just what was added, and
 * with it the spread over zones that the scheduler had in mind.
 */
public final class ActivePodsWithRanks {

    /** The annotation by which users say what a pod is worth: an integer of 32 bits (upstream: KEP-2255). */
    public static final String POD_DELETION_COST = "controller.kubernetes.io/pod-deletion-cost";

    /** No plus sign and no leading zeros, as the API server validates it. */
    private static final Pattern COST = Pattern.compile("-[0-9]{1,18}|[1-9][0-9]{0,17}|0");

    private ActivePodsWithRanks() {}

    /**
     * Returns the pods in the order in which they are to be deleted, by their exact ages. O(n log n).
     *
     * @param rank how many pods of its kin, itself included, are on the pod's node
     */
    public static List<Pod> inDeletionOrder(List<Pod> pods, ToIntFunction<Pod> rank) {
        return candidates(pods, rank).stream()
                .sorted(order(LATEST_OR_UNKNOWN_FIRST))
                .map(Candidate::pod)
                .toList();
    }

    /**
     * Returns the pods in the order in which they are to be deleted, by the magnitudes of their ages: the powers of two in
     * nanoseconds that they have reached (upstream: the feature gate {@code LogarithmicScaleDown}). O(n log n).
     *
     * @param rank how many pods of its kin, itself included, are on the pod's node
     * @param now when their ages are taken
     */
    public static List<Pod> inDeletionOrder(List<Pod> pods, ToIntFunction<Pod> rank, Instant now) {
        // Chance decides between pods of different ages, restarts between those of the same: A may go before B, B
        // before C, and
        // C before A. A heap ends with any answers, which a sort need not.
        Queue<Candidate> heap = new PriorityQueue<>(
                Math.max(1, pods.size()), order(new AgeMagnitudes(now)).thenComparingInt(Candidate::place));
        heap.addAll(candidates(pods, rank));
        return Stream.generate(heap::remove)
                .limit(pods.size())
                .map(Candidate::pod)
                .toList();
    }

    private static List<Candidate> candidates(List<Pod> pods, ToIntFunction<Pod> rank) {
        return IntStream.range(0, pods.size())
                .mapToObj(place -> Candidate.of(place, pods.get(place), rank.applyAsInt(pods.get(place))))
                .toList();
    }

    /** A pod with what it is compared by, worked out once instead of in every comparison. */
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

        static Candidate of(int place, Pod pod, int rank) {
            PodCondition ready = pod.status().condition(PodCondition.READY);
            boolean isReady = ready != null && ready.isTrue();
            String uid = pod.metadata().uid();
            return new Candidate(
                    place,
                    pod,
                    !pod.spec().nodeName().isEmpty(),
                    phaseOrdinal(pod.status().phase()),
                    isReady,
                    deletionCost(pod),
                    rank,
                    new Since(ready != null && isReady ? ready.lastTransitionTime() : null, uid),
                    maxRestarts(pod.status().containerStatuses(), name -> true),
                    maxSidecarRestarts(pod),
                    new Since(pod.metadata().creationTimestamp(), uid));
        }
    }

    /** Since when something is so, if that is known, of the pod with this UID. */
    record Since(@Nullable Time time, String uid) {}

    static final Comparator<Since> LATEST_OR_UNKNOWN_FIRST =
            Comparator.comparing(Since::time, Comparator.nullsFirst(Comparator.reverseOrder()));

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
