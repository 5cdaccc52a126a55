package io.kubeloop.jmh.compare;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Two builds that run a benchmark in turns. Where the answer is unclear, as many pairs of runs are added. What seems to have changed
 * is looked at again, with runs of its own: of a hundred benchmarks that have not changed a few will look as if they had, but hardly
 * one twice.
 */
final class Duel {

    /** Runs a benchmark of one side. */
    @FunctionalInterface
    interface Side {
        Cost run(BenchmarkId id) throws IOException, InterruptedException;
    }

    private final Side before;
    private final Side after;
    private final Settings settings;
    private final Consumer<String> progress;

    /**
     * How to go about it.
     *
     * @param rounds pairs of runs at each look; twice as many where they differ much
     * @param tolerance by which part a time may change
     * @param confidence of each look, between 0 and 1
     */
    record Settings(int rounds, double tolerance, double confidence) {}

    Duel(Side before, Side after, Settings settings, Consumer<String> progress) {
        this.before = before;
        this.after = after;
        this.settings = settings;
        this.progress = progress;
    }

    /** Returns what became of a benchmark: the second look's answer where there was one. */
    Comparison fight(BenchmarkId id) throws IOException, InterruptedException {
        Comparison first = look(id);
        progress.accept(Report.line(first));
        if (!first.hasChanged()) {
            return first;
        }
        Comparison second = look(id);
        progress.accept(Report.line(second) + " at the second look");
        return second;
    }

    private Comparison look(BenchmarkId id) throws IOException, InterruptedException {
        List<Cost> costsBefore = new ArrayList<>();
        List<Cost> costsAfter = new ArrayList<>();
        run(id, costsBefore, costsAfter);
        Comparison comparison = compare(id, costsBefore, costsAfter);
        if (comparison.timeVerdict() != Verdict.UNCLEAR) {
            return comparison;
        }
        run(id, costsBefore, costsAfter);
        return compare(id, costsBefore, costsAfter);
    }

    private void run(BenchmarkId id, List<Cost> costsBefore, List<Cost> costsAfter)
            throws IOException, InterruptedException {
        for (int round = 0; round < settings.rounds(); round++) {
            // Neither side always comes second.
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
