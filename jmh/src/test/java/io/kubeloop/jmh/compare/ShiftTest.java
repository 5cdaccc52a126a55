/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.jmh.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.junit.jupiter.api.Test;

class ShiftTest {

    @Test
    void estimatesTheMedianOfMeansOfPairs() {
        // Means: 1, 1.5, 2, 3, 3.5, 5.
        Shift shift = Shift.of(new double[] {1, 2, 5}, 0.95);
        assertThat(shift.estimate()).isEqualTo(2.5);
        assertThat(shift.low()).isEqualTo(Double.NEGATIVE_INFINITY);
        assertThat(shift.high()).isEqualTo(Double.POSITIVE_INFINITY);
    }

    @Test
    void sixPairsAreTheLeastFor95PercentAndTheirIntervalIsAllThereIs() {
        assertThat(Shift.leastPairs(0.95)).isEqualTo(6);
        assertThat(Shift.leastPairs(0.99)).isEqualTo(8);
        Shift shift = Shift.of(new double[] {3, 1, 4, 1.5, 9, 2}, 0.95);
        assertThat(shift.low()).isEqualTo(1);
        assertThat(shift.high()).isEqualTo(9);
    }

    @Test
    void eightPairsLeaveOutTheFirstThreeMeansOnEachSide() {
        // Wilcoxon's table: the sum of the ranks of eight is 3 or less with a probability of 0.0195, 4 or less with
        // 0.0273.
        Shift shift = Shift.of(new double[] {1, 2, 3, 4, 5, 6, 7, 8}, 0.95);
        assertThat(shift.estimate()).isEqualTo(4.5);
        // Means, sorted: 1, 1.5, 2, 2, 2.5, ...: the fourth from either end.
        assertThat(shift.low()).isEqualTo(2);
        assertThat(shift.high()).isEqualTo(7);
    }

    @Test
    void oneDisturbedRunMovesLittle() {
        Shift shift = Shift.of(new double[] {0.01, -0.01, 0.02, 0, -0.02, 0.01, -0.01, 5}, 0.95);
        assertThat(shift.estimate()).isCloseTo(0, within(0.02));
    }

    @Test
    void theIntervalHasTheShiftInItAsOftenAsIsSaid() {
        Random random = new Random(42);
        int covered = 0;
        int trials = 4_000;
        for (int trial = 0; trial < trials; trial++) {
            double[] differences =
                    random.doubles(8, -1, 1).map(noise -> 0.3 + noise).toArray();
            Shift shift = Shift.of(differences, 0.95);
            if (shift.low() <= 0.3 && 0.3 <= shift.high()) {
                covered++;
            }
        }
        // Of eight pairs the probability is exactly 1 - 2 * 0.0195.
        assertThat(covered / (double) trials).isCloseTo(0.961, within(0.01));
    }
}
