/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.jmh.compare;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The measured cost of a benchmark, and the recorded one.
 *
 * @param name the benchmark
 * @param recorded the recorded cost; null if the benchmark is new
 * @param measured the measured cost
 */
record BaselineCheck(String name, Baseline.@Nullable Entry recorded, Baseline.Entry measured) {

    /** The factor by which a time must differ to be reported: machines differ even in yardsticks. */
    private static final double TIME_TOLERANCE = 1.5;

    /** Returns whether an operation allocates more than recorded. */
    boolean allocatesMore() {
        return recorded != null && measured.bytes() > recorded.bytes() + Comparison.toleratedBytes(recorded.bytes());
    }

    /** Returns whether the time differs so much that it should be measured again. */
    boolean isSlow() {
        return recorded != null && measured.yardsticks() > TIME_TOLERANCE * recorded.yardsticks();
    }

    /** Returns a line with the differences, or null if there are none. */
    @Nullable
    String message() {
        if (recorded == null) {
            return name + ": not recorded";
        }
        if (allocatesMore()) {
            return String.format(
                    Locale.ROOT,
                    "%s: allocates %.1f B/op, recorded are %.1f",
                    name,
                    measured.bytes(),
                    recorded.bytes());
        }
        if (isSlow()) {
            return String.format(
                    Locale.ROOT,
                    "%s: takes %.3g yardsticks, recorded are %.3g; measure it with duel",
                    name,
                    measured.yardsticks(),
                    recorded.yardsticks());
        }
        return null;
    }
}
