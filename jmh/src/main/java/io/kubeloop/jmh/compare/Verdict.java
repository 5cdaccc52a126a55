/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.jmh.compare;

import java.util.Locale;

/** The verdict on a change. */
enum Verdict {

    /** The cost decreased, with confidence, by more than the tolerance. */
    BETTER,

    /** The change is within the tolerance, with confidence. */
    SAME,

    /** The cost increased, with confidence, by more than the tolerance. */
    WORSE,

    /** The runs differ too much for a verdict. More runs may allow one. */
    UNCLEAR;

    /**
     * Returns the verdict on a shift.
     *
     * @param shift the shift of the costs, new minus old
     * @param tolerance the tolerated change, in both directions
     */
    static Verdict of(Shift shift, double tolerance) {
        if (shift.low() > 0 && shift.estimate() > tolerance) {
            return WORSE;
        }
        if (shift.high() < 0 && shift.estimate() < -tolerance) {
            return BETTER;
        }
        return shift.low() >= -tolerance && shift.high() <= tolerance ? SAME : UNCLEAR;
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
