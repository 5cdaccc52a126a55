package io.kubeloop.controller.garbagecollector;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The garbage collector never deletes an object that has a living owner, and leaves nothing behind once the world is quiet.
 *
 * <p>See {@link CollectorSimulation} for what goes wrong meanwhile; a failure prints the history of its run. The system property
 * {@code kubeloop.simulation.runs} sets the number of runs; 10,000 in the profile {@code stress}.
 */
@Tag("stress")
class NothingWithAnOwnerIsDeletedTest {

    /** This invariant must never break, so that it gets more runs than others. */
    private static final long FACTOR = Long.getLong("kubeloop.simulation.runs", 0) > 0 ? 2 : 1;

    private static final long RUNS = FACTOR * Long.getLong("kubeloop.simulation.runs", 100);
    private static final long FIRST = Long.getLong("kubeloop.simulation.first", 0);
    private static final int STEPS = 120;

    @Test
    void treesInAWorldThatGoesWrong_keepWhatHasAnOwner_andLoseTheRest() {
        for (long seed = FIRST; seed < FIRST + RUNS; seed++) {
            try (CollectorSimulation simulation = new CollectorSimulation(seed)) {
                simulation.run(STEPS);
            } catch (RuntimeException | AssertionError e) {
                throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
            }
        }
    }
}
