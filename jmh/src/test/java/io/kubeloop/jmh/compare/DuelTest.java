/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.jmh.compare;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * A machine that is made up: its speed drifts by half, each run is off by some per cent, and one in ten by up to half.
 */
class DuelTest {

    private static final BenchmarkId ID = BenchmarkId.of("io.kubeloop.jmh.SomeBenchmark.work", Map.of("n", "1"));

    private final List<String> progress = new ArrayList<>();

    private static final class Machine {

        private final Random random;
        private double runs;

        Machine(long seed) {
            random = new Random(seed);
            runs = random.nextInt(100);
        }

        Duel.Side side(double time, double bytes) {
            return id -> {
                double drift = 1 + 0.25 * Math.sin(runs++ / 15);
                double noise = 1 + 0.02 * random.nextGaussian();
                double disturbance = random.nextInt(10) == 0 ? 1 + random.nextDouble() / 2 : 1;
                return new Cost(time * drift * noise * disturbance, bytes + random.nextDouble(), 0);
            };
        }
    }

    private Comparison fight(long seed, double time, double bytes) throws Exception {
        Machine machine = new Machine(seed);
        Duel.Settings settings = new Duel.Settings(10, true, 0.05, 0.95);
        return new Duel(machine.side(1e-6, 200), machine.side(time, bytes), settings, progress::add).fight(ID);
    }

    @Test
    void whatHasNotChangedIsHardlyEverCalledWorse() throws Exception {
        int worse = 0;
        for (int seed = 0; seed < 1_000; seed++) {
            worse += fight(seed, 1e-6, 200).verdict() == Verdict.WORSE ? 1 : 0;
        }
        assertThat(worse).isLessThanOrEqualTo(2);
    }

    @Test
    void aFifthMoreTimeIsAlmostAlwaysFound() throws Exception {
        int worse = 0;
        for (int seed = 0; seed < 200; seed++) {
            worse += fight(seed, 1.2e-6, 200).time().verdict() == Verdict.WORSE ? 1 : 0;
        }
        assertThat(worse).isGreaterThanOrEqualTo(190);
    }

    @Test
    void anObjectMoreIsFoundHoweverTheMachineDrifts() throws Exception {
        for (int seed = 0; seed < 100; seed++) {
            Comparison comparison = fight(seed, 1e-6, 216);
            assertThat(comparison.bytes().verdict()).isEqualTo(Verdict.WORSE);
            assertThat(comparison.verdict()).isEqualTo(Verdict.WORSE);
        }
    }

    @Test
    void whatGotBetterIsNotWorse() throws Exception {
        Comparison comparison = fight(1, 0.5e-6, 100);
        assertThat(comparison.time().verdict()).isEqualTo(Verdict.BETTER);
        assertThat(comparison.bytes().verdict()).isEqualTo(Verdict.BETTER);
        assertThat(comparison.verdict()).isEqualTo(Verdict.BETTER);
        assertThat(comparison.hasChanged()).isTrue();
    }

    @Test
    void theSecondLookHasRunsOfItsOwn() throws Exception {
        int[] runs = new int[1];
        // The first look sees double the time, the second none of it.
        Duel.Side before = id -> new Cost(1, Double.NaN, 0);
        Duel.Side after = id -> new Cost(runs[0]++ < 8 ? 2 : 1, Double.NaN, 0);
        Comparison comparison =
                new Duel(before, after, new Duel.Settings(8, true, 0.05, 0.95), progress::add).fight(ID);
        assertThat(comparison.time().verdict()).isEqualTo(Verdict.SAME);
        assertThat(comparison.bytes().verdict()).isEqualTo(Verdict.SAME);
        assertThat(progress).hasSize(2);
        assertThat(progress.get(1)).endsWith("in the second measurement");
    }

    /** The runs of the new build are as often faster as slower, so no number of pairs decides. */
    private int runsOfAnUnclearDuel(boolean isExtended) throws Exception {
        int[] runs = new int[1];
        Duel.Side before = id -> new Cost(1, 0, 0);
        Duel.Side after = id -> new Cost(runs[0]++ % 2 == 0 ? 2 : 0.5, 0, 0);
        Comparison comparison =
                new Duel(before, after, new Duel.Settings(6, isExtended, 0.05, 0.95), progress::add).fight(ID);
        assertThat(comparison.time().verdict()).isEqualTo(Verdict.UNCLEAR);
        return runs[0];
    }

    @Test
    void anUnclearVerdictIsFollowedByAsManyPairs_unlessTheTimeIsBounded() throws Exception {
        assertThat(runsOfAnUnclearDuel(true)).isEqualTo(12);
        assertThat(runsOfAnUnclearDuel(false)).isEqualTo(6);
    }

    @Test
    void sidesTakeTurnsInComingFirst() throws Exception {
        List<String> order = new ArrayList<>();
        Duel.Side before = id -> {
            order.add("before");
            return new Cost(1, 0, 0);
        };
        Duel.Side after = id -> {
            order.add("after");
            return new Cost(1, 0, 0);
        };
        new Duel(before, after, new Duel.Settings(6, true, 0.05, 0.95), progress::add).fight(ID);
        assertThat(order.subList(0, 6)).containsExactly("before", "after", "after", "before", "before", "after");
    }

    /** A side whose times decide nothing. */
    private static Duel.Side unclear(double bytes, double code) {
        int[] runs = new int[1];
        return new Duel.Side() {
            @Override
            public Cost run(BenchmarkId id) {
                return new Cost(runs[0]++ % 3 == 0 ? 2 : 1, bytes, 0);
            }

            @Override
            public double code(BenchmarkId id) {
                return code;
            }
        };
    }

    private Comparison fightUnclear(double bytes, double code) throws Exception {
        Duel.Settings settings = new Duel.Settings(7, false, 0.03, 0.95);
        Duel.Side after = unclear(bytes, code);
        after.run(ID); // so that the two sides are not slow in the same pairs
        Comparison comparison = new Duel(unclear(100, 1_000), after, settings, progress::add).fight(ID);
        assertThat(comparison.time().verdict()).isEqualTo(Verdict.UNCLEAR);
        return comparison;
    }

    @Test
    void executedInstructionsDecide_whereTimesAreUnclear() throws Exception {
        assertThat(fightUnclear(100, 1_003).verdict()).isEqualTo(Verdict.SAME);
        assertThat(fightUnclear(100, 1_030).verdict()).isEqualTo(Verdict.WORSE);
        assertThat(fightUnclear(100, 900).verdict()).isEqualTo(Verdict.BETTER);
        assertThat(fightUnclear(116, 1_000).verdict()).isEqualTo(Verdict.WORSE);
        assertThat(fightUnclear(60, 1_000).verdict()).isEqualTo(Verdict.BETTER);
        assertThat(fightUnclear(100, 0).verdict())
                .as("of a build that counts none")
                .isEqualTo(Verdict.UNCLEAR);
    }
}
