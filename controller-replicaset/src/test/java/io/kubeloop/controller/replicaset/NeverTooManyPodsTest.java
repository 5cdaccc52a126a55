package io.kubeloop.controller.replicaset;

import org.junit.jupiter.api.Test;

/**
 * I9: a ReplicaSet never has more pods created than asked for, whatever the cache lag.
 *
 * <p>The cache's lag is simulated, see {@link LaggingCacheSimulation}; a failure prints the history of its run. More runs:
 * {@code -Dkubeloop.simulation.runs=5000}.
 */
class NeverTooManyPodsTest {

    private static final long RUNS = Long.getLong("kubeloop.simulation.runs", 150);

    @Test
    void I9_laggingCacheAndLostAnswers_neverMorePodsCreatedThanAskedFor_andItSettles() {
        for (long seed = 0; seed < RUNS; seed++) {
            new LaggingCacheSimulation(seed).run(60);
        }
    }
}
