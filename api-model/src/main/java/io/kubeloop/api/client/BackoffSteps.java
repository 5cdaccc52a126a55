/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.client;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleSupplier;

/**
 * The delays between the attempts of one operation, each longer than the last by a factor (upstream: {@code
 * wait.Backoff} of {@code k8s.io/apimachinery/pkg/util/wait/backoff.go}). Immutable: each step returns the next state.
 *
 * <p>When the steps are used up, or the cap is reached, the delay no longer changes.
 *
 * @param duration the next delay, before jitter
 * @param factor the factor by which each step multiplies the delay; 0 leaves the delay unchanged
 * @param jitter the largest random addition to each delay, as a fraction of it; 0 means none
 * @param steps the number of times that the delay may still grow
 * @param cap the longest delay, before jitter; zero means no cap
 */
public record BackoffSteps(Duration duration, double factor, double jitter, int steps, Duration cap) {

    /** Checks that the durations are not null, and limits the delay to 292 years, which 64 bits hold in nanoseconds. */
    public BackoffSteps {
        Objects.requireNonNull(duration, "duration");
        Objects.requireNonNull(cap, "cap");
        duration = Duration.ofNanos(TimeUnit.NANOSECONDS.convert(duration));
    }

    /** Returns the state after the current delay. */
    public BackoffSteps next() {
        if (steps < 1) {
            return this;
        }
        if (factor == 0) {
            return new BackoffSteps(duration, factor, jitter, steps - 1, cap);
        }
        Duration longer = Duration.ofNanos((long) (duration.toNanos() * factor));
        return cap.compareTo(Duration.ZERO) > 0 && longer.compareTo(cap) > 0
                ? new BackoffSteps(cap, factor, jitter, 0, cap)
                : new BackoffSteps(longer, factor, jitter, steps - 1, cap);
    }

    /**
     * Returns the next delay, with jitter.
     *
     * @param random returns numbers from 0 (inclusive) to 1 (exclusive); not called without jitter
     */
    public Duration delay(DoubleSupplier random) {
        return jitter <= 0 ? duration : duration.plusNanos((long) (random.getAsDouble() * jitter * duration.toNanos()));
    }
}
