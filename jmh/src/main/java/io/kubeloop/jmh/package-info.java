/**
 * Benchmarks of the hot paths. Each class says which question it answers, with which parameters, and by which command;
 * {@code -prof gc} belongs to every run, because what allocates less disturbs others less.
 *
 * <p>Single-threaded unless a benchmark says otherwise.
 */
@NullMarked
package io.kubeloop.jmh;

import org.jspecify.annotations.NullMarked;
