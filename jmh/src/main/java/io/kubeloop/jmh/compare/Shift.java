/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.jmh.compare;

import java.util.Arrays;

/**
 * The difference between the two sides of pairs: the Hodges-Lehmann estimate, with the interval of Wilcoxon's
 * signed-rank test. It assumes only that the differences are independent and symmetric around the shift. One
 * disturbed run changes the estimate little.
 *
 * @param estimate the median of the means of all pairs of differences
 * @param low the lower end of the interval; the shift is below it with half of the error probability; negative
 *     infinity if there are too few pairs
 * @param high the upper end of the interval, likewise
 */
record Shift(double estimate, double low, double high) {

    /**
     * Returns the shift of these differences. O(n²) in their number.
     *
     * @param differences the differences of the pairs; at least one
     * @param confidence the minimum probability that the interval contains the shift, between 0 and 1
     */
    static Shift of(double[] differences, double confidence) {
        double[] means = meansOfPairs(differences);
        double median = median(means);
        int inside = outside(differences.length, (1 - confidence) / 2);
        if (inside == 0) {
            return new Shift(median, Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY);
        }
        return new Shift(median, means[inside - 1], means[means.length - inside]);
    }

    /** Returns the median of these numbers; at least one. */
    static double median(double[] numbers) {
        return quantile(numbers, 0.5);
    }

    /** Returns the number below which this part of the numbers is, or the mean of the two next to it; at least one. */
    static double quantile(double[] numbers, double part) {
        double[] sorted = numbers.clone();
        Arrays.sort(sorted);
        double position = part * (sorted.length - 1);
        return (sorted[(int) Math.floor(position)] + sorted[(int) Math.ceil(position)]) / 2;
    }

    /** Returns the minimum number of pairs for a finite interval. */
    static int leastPairs(double confidence) {
        int pairs = 1;
        while (outside(pairs, (1 - confidence) / 2) == 0) {
            pairs++;
        }
        return pairs;
    }

    /** Returns the sorted means of all pairs of differences, each with itself included (the Walsh averages). */
    private static double[] meansOfPairs(double[] differences) {
        double[] means = new double[differences.length * (differences.length + 1) / 2];
        int next = 0;
        for (int i = 0; i < differences.length; i++) {
            for (int j = i; j < differences.length; j++) {
                means[next++] = (differences[i] + differences[j]) / 2;
            }
        }
        Arrays.sort(means);
        return means;
    }

    /**
     * Returns the 1-based index of the first mean inside the interval, counted from each end; 0 if the interval is
     * infinite.
     */
    private static int outside(int pairs, double tail) {
        double[] probabilities = rankSums(pairs);
        double sum = 0;
        int rank = 0;
        while (sum + probabilities[rank] <= tail) {
            sum += probabilities[rank++];
        }
        return rank;
    }

    /** Returns the probability of each sum of positive ranks, if each rank is positive with probability one half. */
    private static double[] rankSums(int pairs) {
        double[] probabilities = new double[pairs * (pairs + 1) / 2 + 1];
        probabilities[0] = 1;
        int greatest = 0;
        for (int rank = 1; rank <= pairs; rank++) {
            greatest += rank;
            for (int sum = greatest; sum >= 0; sum--) {
                double without = sum > greatest - rank ? 0 : probabilities[sum];
                double with = sum < rank ? 0 : probabilities[sum - rank];
                probabilities[sum] = (without + with) / 2;
            }
        }
        return probabilities;
    }
}
