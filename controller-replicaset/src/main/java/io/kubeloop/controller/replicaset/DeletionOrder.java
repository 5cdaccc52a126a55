package io.kubeloop.controller.replicaset;

import io.kubeloop.api.core.Pod;
import io.kubeloop.controller.ActivePodsWithRanks;
import java.time.Clock;
import java.util.List;
import java.util.function.ToIntFunction;

/** Sorts pods into the order in which a scale down deletes them. Thread-safe. */
@FunctionalInterface
interface DeletionOrder {

    /** Compares exact ages, as v1.20 does. */
    DeletionOrder EXACT = ActivePodsWithRanks::inDeletionOrder;

    /** Returns the order that compares ages by magnitude, measured by the clock, or exactly. */
    static DeletionOrder of(boolean logarithmic, Clock wall) {
        return logarithmic ? (pods, rank) -> ActivePodsWithRanks.inDeletionOrder(pods, rank, wall.instant()) : EXACT;
    }

    /**
     * Returns all pods, the first to delete first.
     *
     * @param rank the number of related pods on the pod's node
     */
    List<Pod> sort(List<Pod> pods, ToIntFunction<Pod> rank);
}
