/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.job;

import io.kubeloop.testing.SeededRuns;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * I9: a job never has more active pods than its parallelism and its completions allow, whatever the cache lag; each pod
 * counts once; in the end the job has exactly its completions, or has failed.
 *
 * <p>See {@link JobSimulation} for what goes wrong meanwhile; a failure prints the history of its run. The system
 * property {@code kubeloop.simulation.runs} sets the number of runs; 5,000 in the profile {@code stress}.
 */
@Tag("stress")
class JobInvariantsTest {

    private static final int STEPS = 150;

    @Test
    void I9_jobInAWorldThatGoesWrong_neverTooManyPods_noPodCountsTwice_andItEnds() {
        SeededRuns.each(JobSimulation::new, simulation -> simulation.run(STEPS));
    }
}
