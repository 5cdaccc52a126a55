package io.kubeloop.controller.replicaset;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * I9: never more pods are created than the owner wants, whatever the cache lag; in the end it has that number.
 *
 * <p>See {@link ReplicaSimulation} for what goes wrong meanwhile; a failure prints the history of its run. The system property
 * {@code kubeloop.simulation.runs} sets the number of runs; 5,000 in the profile {@code stress}.
 */
@Tag("stress")
class NeverTooManyPodsTest {

    private static final long RUNS = Long.getLong("kubeloop.simulation.runs", 150);
    private static final int STEPS = 80;

    @Test
    void I9_replicaSetInAWorldThatGoesWrong_neverMorePodsCreatedThanAskedFor_andItSettles() {
        for (long seed = 0; seed < RUNS; seed += 2) {
            run(new ReplicaSetKind(), seed);
        }
    }

    @Test
    void I9_replicationControllerInAWorldThatGoesWrong_neverMorePodsCreatedThanAskedFor_andItSettles() {
        for (long seed = 1; seed < RUNS; seed += 2) {
            run(new ReplicationControllerKind(), seed);
        }
    }

    private static void run(ReplicaKind<?> kind, long seed) {
        try (ReplicaSimulation<?> simulation = new ReplicaSimulation<>(kind, seed)) {
            simulation.run(STEPS);
        } catch (RuntimeException | AssertionError e) {
            throw new AssertionError(kind.type() + ", seed " + seed + ": " + e.getMessage(), e);
        }
    }
}
