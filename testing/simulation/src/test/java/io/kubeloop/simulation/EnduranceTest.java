/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * Many trials leave no memory behind, and a crash bug is found at once. Prints heap and speed. {@code
 * -Dkubeloop.endurance=10000} sets the number of trials; 1,000 in the profile
 * {@code stress}.
 */
@Tag("stress")
@Isolated
class EnduranceTest {

    private static final int TRIALS = Integer.getInteger("kubeloop.endurance", 60);
    private static final int SAMPLES = 10;

    /** Bytes by which the heap may grow. Ten control planes that are left behind take more. */
    private static final long SLACK = 24L << 20;

    @Test
    void heap_doesNotGrow() {
        Runtime runtime = Runtime.getRuntime();
        List<Long> heaps = new ArrayList<>();
        int[] count = {0};
        long began = System.nanoTime();
        Consumer<String> sample = trial -> {
            if (++count[0] % (TRIALS / SAMPLES) == 0) {
                System.gc();
                heaps.add(runtime.totalMemory() - runtime.freeMemory());
                System.out.printf(
                        Locale.ROOT,
                        "%d trials, %.1f per second, heap %d kB, %d threads%n",
                        count[0],
                        count[0] / ((System.nanoTime() - began) / 1e9),
                        heaps.get(heaps.size() - 1) / 1024,
                        Thread.activeCount());
            }
        };
        // One simulation of this operator has fewer than 4,000 different trials.
        for (int seed = 0; count[0] < TRIALS; seed++) {
            SimulationReport report = FaultyOperators.STATUS_BEFORE_WORK
                    .correct()
                    .trials(TRIALS - count[0])
                    .seed(seed)
                    .budget(Duration.ofHours(2))
                    .progress(sample)
                    .run();
            assertThat(report.findings()).as(report.text()).isEmpty();
        }
        assertThat(heaps).hasSizeGreaterThanOrEqualTo(SAMPLES - 1);
        assertThat(heaps.get(heaps.size() - 1)).isLessThan(heaps.get(1) + SLACK);
    }

    @Test
    void crashBug_isFoundAtOnce() {
        long began = System.nanoTime();
        SimulationReport report =
                FaultyOperators.STATUS_BEFORE_WORK.faulty().stopAfter(1).run();
        Duration took = Duration.ofNanos(System.nanoTime() - began);
        System.out.println("first failure of a crash bug after " + took.toMillis() + " ms: "
                + report.findings().get(0).trial());
        assertThat(report.findings().get(0).kind()).isEqualTo(Perturbation.CRASH);
        assertThat(report.total()).isLessThan(10);
    }
}
