package io.kubeloop.jmh.compare;

/**
 * What an operation took in one run of a benchmark.
 *
 * @param time in seconds
 * @param bytes allocated; {@link Double#NaN} if that was not measured
 */
record Cost(double time, double bytes) {}
