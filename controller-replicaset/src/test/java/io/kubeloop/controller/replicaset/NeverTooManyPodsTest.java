/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.replicaset;

import io.kubeloop.testing.SeededRuns;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * I9: never more pods are created than the owner wants, whatever the cache lag; in the end it has that number.
 *
 * <p>See {@link ReplicaSimulation} for what goes wrong meanwhile; a failure prints the history of its run. The system
 * property {@code kubeloop.simulation.runs} sets the number of runs; 5,000 in the profile {@code stress}.
 */
@Tag("stress")
class NeverTooManyPodsTest {

    private static final int STEPS = 80;

    @Test
    void I9_replicaSetInAWorldThatGoesWrong_neverMorePodsCreatedThanAskedFor_andItSettles() {
        run(new ReplicaSetKind());
    }

    @Test
    void I9_replicationControllerInAWorldThatGoesWrong_neverMorePodsCreatedThanAskedFor_andItSettles() {
        run(new ReplicationControllerKind());
    }

    private static void run(ReplicaKind<?> kind) {
        SeededRuns.each(seed -> new ReplicaSimulation<>(kind, seed), simulation -> simulation.run(STEPS));
    }
}
