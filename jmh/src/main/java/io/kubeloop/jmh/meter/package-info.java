/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Counts what a benchmark costs besides its time: the CPU of its threads, and the instructions of bytecode that it
 * executes. The comparer runs both with the benchmarks of any build, so this package uses nothing of the project.
 *
 * <p>Threading: each class states its own rules.
 */
@NullMarked
package io.kubeloop.jmh.meter;

import org.jspecify.annotations.NullMarked;
