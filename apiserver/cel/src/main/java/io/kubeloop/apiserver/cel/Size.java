/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.cel;

/**
 * The least and the greatest number of elements or characters that a value can have (upstream: cel-go's {@code
 * SizeEstimate}). Sums and products end at {@link Long#MAX_VALUE}. Immutable.
 */
record Size(long min, long max) {

    static final Size UNKNOWN = new Size(0, Long.MAX_VALUE);

    static Size of(long fixed) {
        return new Size(fixed, fixed);
    }

    Size plus(Size other) {
        return new Size(sum(min, other.min), sum(max, other.max));
    }

    Size times(Size other) {
        return new Size(product(min, other.min), product(max, other.max));
    }

    Size or(Size other) {
        return new Size(Math.min(min, other.min), Math.max(max, other.max));
    }

    /** Returns the greatest cost of a traversal. */
    long cost(double perUnit) {
        return scaled(max, perUnit);
    }

    static long scaled(long units, double perUnit) {
        double cost = Math.ceil(units * perUnit);
        return cost >= Long.MAX_VALUE ? Long.MAX_VALUE : (long) cost;
    }

    static long sum(long one, long other) {
        return one > Long.MAX_VALUE - other ? Long.MAX_VALUE : one + other;
    }

    static long product(long one, long other) {
        return other != 0 && one > Long.MAX_VALUE / other ? Long.MAX_VALUE : one * other;
    }
}
