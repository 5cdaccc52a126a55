package io.kubeloop.jmh.compare;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A benchmark beside what was recorded of it.
 *
 * @param name of the benchmark
 * @param recorded null if it is new
 * @param measured now
 */
record BaselineCheck(String name, Baseline.@Nullable Entry recorded, Baseline.Entry measured) {

    /** Machines differ, even in yardsticks. */
    private static final double TIME_TOLERANCE = 1.5;

    /** Returns whether an operation allocates more than it did. */
    boolean allocatesMore() {
        return recorded != null && measured.bytes() > recorded.bytes() + Comparison.toleratedBytes(recorded.bytes());
    }

    /** Returns whether its time is worth a look. */
    boolean isSlow() {
        return recorded != null && measured.yardsticks() > TIME_TOLERANCE * recorded.yardsticks();
    }

    /** Returns a line that says what is to be said, or null if that is nothing. */
    @Nullable
    String message() {
        if (recorded == null) {
            return name + ": not recorded";
        }
        if (allocatesMore()) {
            return String.format(
                    Locale.ROOT,
                    "%s: allocates %.1f B/op, recorded were %.1f",
                    name,
                    measured.bytes(),
                    recorded.bytes());
        }
        if (isSlow()) {
            return String.format(
                    Locale.ROOT,
                    "%s: takes %.3g yardsticks, recorded were %.3g; measure it with duel",
                    name,
                    measured.yardsticks(),
                    recorded.yardsticks());
        }
        return null;
    }
}
