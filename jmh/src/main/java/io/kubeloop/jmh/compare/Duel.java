/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.jmh.compare;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Compares two builds that run a benchmark in turns. If the verdict is unclear, the same number of pairs is added. If
 * it still is, the executed instructions are counted. If the benchmark seems to have changed, it is measured a second
 * time with separate runs. Among a hundred unchanged benchmarks a few seem changed by chance, but hardly one of them
 * twice.
 */
final class Duel {

    /** Runs a benchmark of one build. */
    @FunctionalInterface
    interface Side {
        Cost run(BenchmarkId id) throws IOException, InterruptedException;

        /** Returns the instructions that an operation executes; 0 if this side does not count them. */
        default double code(BenchmarkId id) throws IOException, InterruptedException {
            return 0;
        }
    }

    private final Side before;
    private final Side after;
    private final Settings settings;
    private final Consumer<String> progress;

    /**
     * The parameters of a duel.
     *
     * @param rounds the pairs of runs per measurement
     * @param isExtended whether an unclear verdict is followed by as many pairs again
     * @param tolerance the tolerated relative change of a time
     * @param confidence the confidence of each measurement, between 0 and 1
     */
    record Settings(int rounds, boolean isExtended, double tolerance, double confidence) {}

    Duel(Side before, Side after, Settings settings, Consumer<String> progress) {
        this.before = before;
        this.after = after;
        this.settings = settings;
        this.progress = progress;
    }

    /** Returns the comparison of a benchmark: that of the second measurement, if there was one. */
    Comparison fight(BenchmarkId id) throws IOException, InterruptedException {
        Comparison first = look(id);
        progress.accept(Report.line(first));
        if (!first.hasChanged()) {
            return first;
        }
        Comparison second = look(id);
        progress.accept(Report.line(second) + " in the second measurement");
        return second;
    }

    private Comparison look(BenchmarkId id) throws IOException, InterruptedException {
        List<Cost> costsBefore = new ArrayList<>();
        List<Cost> costsAfter = new ArrayList<>();
        run(id, costsBefore, costsAfter);
        Comparison comparison = compare(id, costsBefore, costsAfter);
        if (settings.isExtended() && comparison.time().verdict() == Verdict.UNCLEAR) {
            run(id, costsBefore, costsAfter);
            comparison = compare(id, costsBefore, costsAfter);
        }
        return comparison.time().verdict() == Verdict.UNCLEAR ? counted(comparison) : comparison;
    }

    private Comparison counted(Comparison comparison) throws IOException, InterruptedException {
        double codeBefore = before.code(comparison.id());
        double codeAfter = after.code(comparison.id());
        return codeBefore > 0 && codeAfter > 0 ? comparison.withCode(codeBefore, codeAfter) : comparison;
    }

    private void run(BenchmarkId id, List<Cost> costsBefore, List<Cost> costsAfter)
            throws IOException, InterruptedException {
        for (int round = 0; round < settings.rounds(); round++) {
            // The builds alternate as the first of a pair.
            if (round % 2 == 0) {
                costsBefore.add(before.run(id));
                costsAfter.add(after.run(id));
            } else {
                costsAfter.add(after.run(id));
                costsBefore.add(before.run(id));
            }
        }
    }

    private Comparison compare(BenchmarkId id, List<Cost> costsBefore, List<Cost> costsAfter) {
        return Comparison.of(id, costsBefore, costsAfter, settings.tolerance(), settings.confidence());
    }
}
