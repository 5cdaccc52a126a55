package io.kubeloop.controller.replicaset;

import io.kubeloop.api.core.Pod;
import io.kubeloop.controller.ActivePodsWithRanks;
import java.time.Clock;
import java.util.List;
import java.util.function.ToIntFunction;

/** Puts pods into the order in which a scale down deletes them. Thread-safe. */
@FunctionalInterface
interface DeletionOrder {

    /** By exact ages, as v1.20. */
    DeletionOrder EXACT = ActivePodsWithRanks::inDeletionOrder;

    /** Returns the order by the magnitudes that ages have by the clock, or by exact ages. */
    static DeletionOrder of(boolean logarithmic, Clock wall) {
        return logarithmic ? (pods, rank) -> ActivePodsWithRanks.inDeletionOrder(pods, rank, wall.instant()) : EXACT;
    }

    /**
     * Returns all the pods, the first to be deleted first.
     *
     * @param rank how many pods of its kin are on the pod's node
     */
    List<Pod> sort(List<Pod> pods, ToIntFunction<Pod> rank);
}
