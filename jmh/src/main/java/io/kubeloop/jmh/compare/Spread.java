package io.kubeloop.jmh.compare;

import java.util.Arrays;

/**
 * The median and range of a few numbers.
 *
 * @param median of them
 * @param least of them
 * @param greatest of them
 */
record Spread(double median, double least, double greatest) {

    /** Returns the spread of these numbers; at least one. */
    static Spread of(double[] numbers) {
        double[] sorted = numbers.clone();
        Arrays.sort(sorted);
        int last = sorted.length - 1;
        double median = (sorted[last / 2] + sorted[sorted.length / 2]) / 2;
        return new Spread(median, sorted[0], sorted[last]);
    }
}
