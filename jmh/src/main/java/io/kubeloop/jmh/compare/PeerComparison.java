package io.kubeloop.jmh.compare;

import java.util.List;
import java.util.function.ToDoubleBiFunction;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/**
 * The costs of another library and of this one, in one benchmark.
 *
 * @param benchmark the benchmark, without the parameter {@code library}
 * @param library the other one
 * @param ours the costs of this library, one per round; at least one
 * @param theirs the costs of the other library in the same rounds
 */
record PeerComparison(BenchmarkId benchmark, String library, List<Cost> ours, List<Cost> theirs) {

    int rounds() {
        return ours.size();
    }

    /**
     * Returns the ratios of their times to ours per round. A drift of the machine's speed affects both sides of a
     * round.
     */
    Spread timeRatio() {
        return ratio(Cost::time);
    }

    /**
     * Returns the ratios of their allocated bytes to ours; meaningless if ours
     * {@linkplain #allocatesNothing are none}.
     */
    Spread bytesRatio() {
        return ratio(Cost::bytes);
    }

    /** Returns our times in seconds. */
    double ourTime() {
        return median(ours, Cost::time);
    }

    /** Returns our allocated bytes; {@link Double#NaN} if they were not measured. */
    double ourBytes() {
        return median(ours, Cost::bytes);
    }

    /** Returns the other library's allocated bytes; {@link Double#NaN} if they were not measured. */
    double theirBytes() {
        return median(theirs, Cost::bytes);
    }

    /** Returns whether the bytes are fewer than those of an object, so that they are JMH's own. */
    static boolean allocatesNothing(double bytes) {
        return bytes < Comparison.toleratedBytes(0);
    }

    private static double median(List<Cost> costs, ToDoubleFunction<Cost> number) {
        return Spread.of(costs.stream().mapToDouble(number).toArray()).median();
    }

    private Spread ratio(ToDoubleFunction<Cost> number) {
        ToDoubleBiFunction<Cost, Cost> divided =
                (their, our) -> number.applyAsDouble(their) / number.applyAsDouble(our);
        return Spread.of(IntStream.range(0, rounds())
                .mapToDouble(i -> divided.applyAsDouble(theirs.get(i), ours.get(i)))
                .toArray());
    }
}
