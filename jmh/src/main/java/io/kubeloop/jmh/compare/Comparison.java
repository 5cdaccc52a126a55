/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.jmh.compare;

import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The result of comparing one benchmark.
 *
 * @param id the benchmark
 * @param rounds the number of pairs of runs
 * @param time the change of the time; its shift is that of the logarithm, so {@link Math#exp} of it is the ratio
 * @param bytes the change of the bytes that an operation allocates
 * @param code the change of the instructions that an operation executes, likewise as a logarithm; null if they were not
 *     counted
 */
record Comparison(
        BenchmarkId id,
        int rounds,
        Change time,
        Change bytes,
        @Nullable Change code) {

    /** The tolerated relative change of the allocated bytes; {@link #BYTES} is the tolerated absolute change. */
    private static final double BYTES_TOLERANCE = 0.01;

    /** Less than the size of an object. JMH's own allocations are spread over the operations. */
    private static final double BYTES = 4;

    /** The tolerated relative change of the executed instructions. Counts of equal builds differ by half a percent. */
    private static final double CODE_TOLERANCE = 0.015;

    /**
     * The change of one kind of cost.
     *
     * @param before the median of the old build; {@link Double#NaN} if it was not measured
     * @param shift the shift from the old build to the new one
     * @param verdict the verdict; {@link Verdict#SAME} if the cost was not measured
     */
    record Change(double before, Shift shift, Verdict verdict) {}

    /**
     * Compares pairs of runs.
     *
     * @param before the runs of the old build
     * @param after the runs of the new build, each next to the old run of the same index
     * @param tolerance the tolerated relative change of a time
     * @param confidence the confidence of the intervals, between 0 and 1
     */
    static Comparison of(BenchmarkId id, List<Cost> before, List<Cost> after, double tolerance, double confidence) {
        Shift time = shift(before, after, cost -> Math.log(cost.time()), confidence);
        double bytesBefore = median(before, Cost::bytes);
        Shift bytes = shift(before, after, Cost::bytes, confidence);
        return new Comparison(
                id,
                before.size(),
                new Change(median(before, Cost::time), time, Verdict.of(time, Math.log1p(tolerance))),
                new Change(
                        bytesBefore,
                        bytes,
                        Double.isNaN(bytes.estimate()) ? Verdict.SAME : Verdict.of(bytes, toleratedBytes(bytesBefore))),
                null);
    }

    /** Returns this result with the executed instructions of both builds, which do not depend on the machine. */
    Comparison withCode(double before, double after) {
        double ratio = Math.log(after / before);
        Shift shift = new Shift(ratio, ratio, ratio);
        return new Comparison(
                id, rounds, time, bytes, new Change(before, shift, Verdict.of(shift, Math.log1p(CODE_TOLERANCE))));
    }

    /** Returns the tolerated change of these allocated bytes. */
    static double toleratedBytes(double bytes) {
        return Math.max(BYTES, BYTES_TOLERANCE * bytes);
    }

    private static double median(List<Cost> costs, ToDoubleFunction<Cost> number) {
        return Shift.median(costs.stream().mapToDouble(number).toArray());
    }

    private static Shift shift(List<Cost> before, List<Cost> after, ToDoubleFunction<Cost> number, double confidence) {
        double[] differences = IntStream.range(0, before.size())
                .mapToDouble(i -> number.applyAsDouble(after.get(i)) - number.applyAsDouble(before.get(i)))
                .toArray();
        return Shift.of(differences, confidence);
    }

    /**
     * Returns the verdict on the benchmark. Time and bytes decide. If the times differ too much, the executed
     * instructions decide instead of them.
     */
    Verdict verdict() {
        Verdict speed = time.verdict == Verdict.UNCLEAR && code != null ? code.verdict : time.verdict;
        if (speed == Verdict.WORSE || bytes.verdict == Verdict.WORSE) {
            return Verdict.WORSE;
        }
        return speed == Verdict.SAME && bytes.verdict != Verdict.UNCLEAR ? bytes.verdict : speed;
    }

    /** Returns whether the verdict is a change, for better or worse. */
    boolean hasChanged() {
        return verdict() == Verdict.WORSE || time.verdict == Verdict.BETTER || bytes.verdict == Verdict.BETTER;
    }
}
