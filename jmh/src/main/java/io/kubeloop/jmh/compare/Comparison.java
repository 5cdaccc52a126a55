package io.kubeloop.jmh.compare;

import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/**
 * What became of one benchmark.
 *
 * @param id which one
 * @param rounds pairs of runs
 * @param time the shift of the logarithm of the time: {@link Math#exp} of it is a ratio
 * @param timeVerdict what it means
 * @param bytesBefore the median of what an operation allocated
 * @param bytes the shift of that
 * @param bytesVerdict what it means; {@link Verdict#SAME} if it was not measured
 */
record Comparison(
        BenchmarkId id,
        int rounds,
        Shift time,
        Verdict timeVerdict,
        double bytesBefore,
        Shift bytes,
        Verdict bytesVerdict) {

    /** What an operation allocates may change by this part of it, or by {@link #BYTES}. */
    private static final double BYTES_TOLERANCE = 0.01;

    /** Less than an object; what the harness allocates itself is spread over the operations. */
    private static final double BYTES = 4;

    /**
     * Compares pairs of runs.
     *
     * @param before runs of the old build
     * @param after runs of the new build, each made next to the one at the same place
     * @param tolerance by which part a time may change
     * @param confidence how sure an answer is to be
     */
    static Comparison of(BenchmarkId id, List<Cost> before, List<Cost> after, double tolerance, double confidence) {
        Shift time = shift(before, after, cost -> Math.log(cost.time()), confidence);
        double bytesBefore =
                Spread.of(before.stream().mapToDouble(Cost::bytes).toArray()).median();
        Shift bytes = shift(before, after, Cost::bytes, confidence);
        Verdict bytesVerdict =
                Double.isNaN(bytes.estimate()) ? Verdict.SAME : Verdict.of(bytes, toleratedBytes(bytesBefore));
        return new Comparison(
                id, before.size(), time, Verdict.of(time, Math.log1p(tolerance)), bytesBefore, bytes, bytesVerdict);
    }

    /** Returns by how many bytes an operation may allocate more or less than these, and nothing is said. */
    static double toleratedBytes(double bytes) {
        return Math.max(BYTES, BYTES_TOLERANCE * bytes);
    }

    private static Shift shift(List<Cost> before, List<Cost> after, ToDoubleFunction<Cost> number, double confidence) {
        double[] differences = IntStream.range(0, before.size())
                .mapToDouble(i -> number.applyAsDouble(after.get(i)) - number.applyAsDouble(before.get(i)))
                .toArray();
        return Shift.of(differences, confidence);
    }

    /** Returns whether it takes longer, or allocates more. */
    boolean isWorse() {
        return timeVerdict == Verdict.WORSE || bytesVerdict == Verdict.WORSE;
    }

    /** Returns whether anything has surely changed, for better or worse. */
    boolean hasChanged() {
        return isWorse() || timeVerdict == Verdict.BETTER || bytesVerdict == Verdict.BETTER;
    }
}
