/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The comparer, which separates regressions from noise. Two builds run a benchmark in turns. Each pair of successive
 * runs results in one ratio, so a drift of the machine's speed has little influence. The result is an interval
 * of the ratio, not a pair of means. Comparisons with other libraries print the ratios of rounds, without a verdict.
 *
 * <p>Threading: one thread. The benchmarks run in separate processes.
 */
@NullMarked
package io.kubeloop.jmh.compare;

import org.jspecify.annotations.NullMarked;
