package io.kubeloop.jmh.compare;

import java.util.Locale;

/** What can be said of a change. */
enum Verdict {

    /** It costs less, surely, and by more than is tolerated. */
    BETTER,

    /** Whatever it is, it is less than is tolerated. */
    SAME,

    /** It costs more, surely, and by more than is tolerated. */
    WORSE,

    /** The runs differ too much to tell; more of them may. */
    UNCLEAR;

    /**
     * Returns what a shift means.
     *
     * @param shift of costs, new minus old
     * @param tolerance what is no matter, in either direction
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
