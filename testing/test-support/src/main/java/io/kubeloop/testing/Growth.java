/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.testing;

import java.util.function.IntFunction;

/**
 * Checks that work grows in proportion to its input: that twice the input takes at most 2.6 times the processor time.
 *
 * <p>A run that takes little time for the largest input passes at once, because a quadratic one could not. Otherwise
 * the shortest of several runs of each size counts, which neither other load nor a compiler disturbs.
 */
public final class Growth {

    /** The most that counts as linear. */
    public static final double MOST_PER_DOUBLING = 2.6;

    private static final long LITTLE_NANOS = 60_000_000;
    private static final int ROUNDS = 5;

    private Growth() {}

    /**
     * Fails if work grows faster than its input.
     *
     * @param what names the work in the failure
     * @param size the smallest size; the work also runs with two and four times as much
     * @param work makes the input of a size, which is not measured, and returns the work on it
     */
    public static void assertLinear(String what, int size, IntFunction<Runnable> work) {
        double factor = perDoubling(size, work);
        if (factor > MOST_PER_DOUBLING) {
            throw new AssertionError(
                    "the time of " + what + " grows " + factor + " times per doubling, from size " + size);
        }
    }

    /** Returns by which factor the time grows when the input doubles; 1 if the work takes little time at any size. */
    public static double perDoubling(int size, IntFunction<Runnable> work) {
        long most = CpuTime.nanos(work.apply(4 * size));
        if (most <= LITTLE_NANOS) {
            return 1;
        }
        long least = Long.MAX_VALUE;
        double factor = Double.MAX_VALUE;
        for (int round = 0; round < ROUNDS && factor > MOST_PER_DOUBLING; round++) {
            least = Math.min(least, CpuTime.nanos(work.apply(size)));
            most = Math.min(most, CpuTime.nanos(work.apply(4 * size)));
            factor = most <= LITTLE_NANOS ? 1 : Math.sqrt((double) most / least);
        }
        return factor;
    }
}
