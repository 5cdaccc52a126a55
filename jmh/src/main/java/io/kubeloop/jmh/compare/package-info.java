/**
 * Tells a regression from noise. A benchmark is run by two builds in turns; each pair of neighbours in time gives one ratio, so that a
 * machine whose speed drifts harms little; and what those ratios prove is said with an interval, not with two means. Other
 * libraries are held beside this one by the ratios of rounds; that judges nothing.
 *
 * <p>Threading: one thread. The benchmarks run in processes of their own.
 */
@NullMarked
package io.kubeloop.jmh.compare;

import org.jspecify.annotations.NullMarked;
