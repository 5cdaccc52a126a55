/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.jmh.compare;

/**
 * The cost of an operation in one run of a benchmark.
 *
 * @param time the time in seconds
 * @param bytes the allocated bytes; {@link Double#NaN} if they were not measured
 * @param code the executed instructions of bytecode; 0 if they were not counted
 */
record Cost(double time, double bytes, double code) {}
