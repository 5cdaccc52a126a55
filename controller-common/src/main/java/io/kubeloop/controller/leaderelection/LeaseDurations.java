/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.leaderelection;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * The three durations of an election, checked against each other. Immutable.
 *
 * <p>Where clocks run at different speeds, {@code leaseDuration / renewDeadline} is the highest tolerated ratio between
 * two of them.
 *
 * @param leaseDuration how long other candidates wait after the last change that they saw before they acquire the lock;
 *     written in whole seconds, at least one; longer than {@code renewDeadline}; default 15 s
 * @param renewDeadline how long after its last successful renewal a leader stops; longer than 1.2 times {@code
 *     retryPeriod}; default 10 s
 * @param retryPeriod the pause between two attempts; greater than zero; default 2 s
 */
public record LeaseDurations(Duration leaseDuration, Duration renewDeadline, Duration retryPeriod) {

    /** The durations of Kubernetes' own components: 15 s, 10 s and 2 s. */
    public static final LeaseDurations DEFAULT =
            new LeaseDurations(Duration.ofSeconds(15), Duration.ofSeconds(10), Duration.ofSeconds(2));

    /**
     * A candidate's pause is longer than the retry period by a random part of it: at most this many times the period.
     */
    static final double JITTER_FACTOR = 1.2;

    /**
     * Checks the durations against each other.
     *
     * @throws IllegalArgumentException if they do not fit; the message names both values
     */
    public LeaseDurations {
        if (leaseDuration.compareTo(renewDeadline) <= 0) {
            throw new IllegalArgumentException(
                    "leaseDuration " + leaseDuration + " must be greater than renewDeadline " + renewDeadline);
        }
        if (nanos(renewDeadline) <= JITTER_FACTOR * nanos(retryPeriod)) {
            throw new IllegalArgumentException("renewDeadline " + renewDeadline + " must be greater than "
                    + JITTER_FACTOR + " times retryPeriod " + retryPeriod);
        }
        if (retryPeriod.compareTo(Duration.ZERO) <= 0) {
            throw new IllegalArgumentException("retryPeriod " + retryPeriod + " must be greater than zero");
        }
        if (leaseDuration.toSeconds() < 1 || leaseDuration.toSeconds() > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("leaseDuration " + leaseDuration + " must be from 1 s to "
                    + Integer.MAX_VALUE + " s, because the lock stores whole seconds in 32 bits");
        }
    }

    /** Saturates: a duration beyond 292 years counts as 292 years. */
    private static long nanos(Duration duration) {
        return TimeUnit.NANOSECONDS.convert(duration);
    }
}
