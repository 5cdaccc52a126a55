package io.kubeloop.jmh.compare;

import java.util.Arrays;

/**
 * By how much one side of pairs lies above the other: the Hodges-Lehmann estimate, with the interval that belongs to Wilcoxon's
 * signed-rank test. Nothing is assumed of the differences but that they are independent and lie evenly around the shift; one run
 * that was disturbed moves the estimate little.
 *
 * @param estimate the median of the means of all pairs of differences
 * @param low below it the shift is with half the probability that confidence leaves; negative infinity if there are too few pairs
 * @param high above it, likewise
 */
record Shift(double estimate, double low, double high) {

    /**
     * Returns the shift that these differences speak of. Cost grows with their square.
     *
     * @param differences of pairs; at least one
     * @param confidence between 0 and 1: how often such an interval has the shift in it, at least
     */
    static Shift of(double[] differences, double confidence) {
        double[] means = meansOfPairs(differences);
        double median = Spread.of(means).median();
        int inside = outside(differences.length, (1 - confidence) / 2);
        if (inside == 0) {
            return new Shift(median, Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY);
        }
        return new Shift(median, means[inside - 1], means[means.length - inside]);
    }

    /** Returns how many pairs it takes for an interval that ends somewhere. */
    static int leastPairs(double confidence) {
        int pairs = 1;
        while (outside(pairs, (1 - confidence) / 2) == 0) {
            pairs++;
        }
        return pairs;
    }

    /** Returns the sorted means of each difference with each, itself included (the Walsh averages). */
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

    /** Returns how many means at each end the interval leaves out, the first one inside counted: 0 if it can leave out none. */
    private static int outside(int pairs, double tail) {
        double[] probabilities = rankSums(pairs);
        double sum = 0;
        int rank = 0;
        while (sum + probabilities[rank] <= tail) {
            sum += probabilities[rank++];
        }
        return rank;
    }

    /** Returns the probabilities of the sums of the ranks that have a plus, if each has one or not by a coin. */
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
