package io.kubeloop.jmh.compare;

import java.util.List;
import java.util.function.ToDoubleBiFunction;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/**
 * Another library beside this one, in one benchmark.
 *
 * @param benchmark without the parameter that says whose it is
 * @param library the other one
 * @param ours what this one took, by round; at least one
 * @param theirs what the other one took, in the same rounds
 */
record PeerComparison(BenchmarkId benchmark, String library, List<Cost> ours, List<Cost> theirs) {

    int rounds() {
        return ours.size();
    }

    /** Returns theirs divided by ours, round by round: a machine whose speed drifts drifts in both. */
    Spread timeRatio() {
        return ratio(Cost::time);
    }

    /** Returns theirs divided by ours; of no use if ours {@linkplain #allocatesNothing is nothing}. */
    Spread bytesRatio() {
        return ratio(Cost::bytes);
    }

    /** Returns what ours took, in seconds. */
    double ourTime() {
        return median(ours, Cost::time);
    }

    /** Returns what ours allocated; {@link Double#NaN} if that was not measured. */
    double ourBytes() {
        return median(ours, Cost::bytes);
    }

    /** Returns what the other one allocated; {@link Double#NaN} if that was not measured. */
    double theirBytes() {
        return median(theirs, Cost::bytes);
    }

    /** Returns whether this is less than an object: the harness's own, spread over the operations. */
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
