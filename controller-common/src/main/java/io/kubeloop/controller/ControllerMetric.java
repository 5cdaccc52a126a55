/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller;

import java.util.List;
import java.util.stream.Stream;

/**
 * A metric of a controller (upstream: a metric of the controllers' {@code metrics} packages). Immutable.
 *
 * @param type the type
 * @param name upstream's name
 * @param help the description, in one sentence
 * @param buckets the upper bounds of a histogram's buckets, in ascending order; empty for other types
 * @param labels the names of the labels
 */
public record ControllerMetric(Type type, String name, String help, List<Double> buckets, List<String> labels) {

    /** Upstream's bounds for histograms that name none. */
    private static final List<Double> DEFAULT_BUCKETS =
            List.of(0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0);

    /** The types of metrics. */
    public enum Type {
        /** Recorded values are added. */
        COUNTER,
        /** The last recorded value counts. */
        GAUGE,
        /** Recorded values are counted by size. */
        HISTOGRAM
    }

    /** Copies the lists. */
    public ControllerMetric {
        buckets = List.copyOf(buckets);
        labels = List.copyOf(labels);
    }

    /** Returns a counter. */
    public static ControllerMetric counter(String name, String help, String... labels) {
        return new ControllerMetric(Type.COUNTER, name, help, List.of(), List.of(labels));
    }

    /** Returns a gauge. */
    public static ControllerMetric gauge(String name, String help, String... labels) {
        return new ControllerMetric(Type.GAUGE, name, help, List.of(), List.of(labels));
    }

    /** Returns a histogram with upstream's default buckets, from 0.005 to 10. */
    public static ControllerMetric histogram(String name, String help, String... labels) {
        return new ControllerMetric(Type.HISTOGRAM, name, help, DEFAULT_BUCKETS, List.of(labels));
    }

    /**
     * Returns a histogram whose buckets double (upstream: {@code ExponentialBuckets} with factor 2).
     *
     * @param first the upper bound of the first bucket
     * @param count the number of buckets without the infinite one
     */
    public static ControllerMetric histogram(String name, String help, double first, int count, String... labels) {
        List<Double> buckets =
                Stream.iterate(first, bound -> 2 * bound).limit(count).toList();
        return new ControllerMetric(Type.HISTOGRAM, name, help, buckets, List.of(labels));
    }
}
