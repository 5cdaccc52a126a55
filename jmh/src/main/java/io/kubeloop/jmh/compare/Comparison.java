/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.jmh.compare;

import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/**
 * The result of comparing one benchmark.
 *
 * @param id the benchmark
 * @param rounds the number of pairs of runs
 * @param time the shift of the logarithm of the time; {@link Math#exp} of it is the ratio
 * @param timeVerdict the verdict on the time
 * @param bytesBefore the median of the bytes that an operation of the old build allocated
 * @param bytes the shift of the allocated bytes
 * @param bytesVerdict the verdict on the bytes; {@link Verdict#SAME} if they were not measured
 */
record Comparison(
        BenchmarkId id,
        int rounds,
        Shift time,
        Verdict timeVerdict,
        double bytesBefore,
        Shift bytes,
        Verdict bytesVerdict) {

    /** The tolerated relative change of the allocated bytes; {@link #BYTES} is the tolerated absolute change. */
    private static final double BYTES_TOLERANCE = 0.01;

    /** Less than the size of an object. JMH's own allocations are spread over the operations. */
    private static final double BYTES = 4;

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
        double bytesBefore =
                Shift.median(before.stream().mapToDouble(Cost::bytes).toArray());
        Shift bytes = shift(before, after, Cost::bytes, confidence);
        Verdict bytesVerdict =
                Double.isNaN(bytes.estimate()) ? Verdict.SAME : Verdict.of(bytes, toleratedBytes(bytesBefore));
        return new Comparison(
                id, before.size(), time, Verdict.of(time, Math.log1p(tolerance)), bytesBefore, bytes, bytesVerdict);
    }

    /** Returns the tolerated change of these allocated bytes. */
    static double toleratedBytes(double bytes) {
        return Math.max(BYTES, BYTES_TOLERANCE * bytes);
    }

    private static Shift shift(List<Cost> before, List<Cost> after, ToDoubleFunction<Cost> number, double confidence) {
        double[] differences = IntStream.range(0, before.size())
                .mapToDouble(i -> number.applyAsDouble(after.get(i)) - number.applyAsDouble(before.get(i)))
                .toArray();
        return Shift.of(differences, confidence);
    }

    /** Returns whether the new build takes more time or allocates more. */
    boolean isWorse() {
        return timeVerdict == Verdict.WORSE || bytesVerdict == Verdict.WORSE;
    }

    /** Returns whether the verdict on time or bytes is a change, for better or worse. */
    boolean hasChanged() {
        return isWorse() || timeVerdict == Verdict.BETTER || bytesVerdict == Verdict.BETTER;
    }
}
