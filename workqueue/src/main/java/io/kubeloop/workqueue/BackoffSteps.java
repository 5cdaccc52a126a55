package io.kubeloop.workqueue;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleSupplier;

/**
 * The delays between the tries of one operation, each a factor longer than the one before (upstream:
 * {@code wait.Backoff} of {@code k8s.io/apimachinery/pkg/util/wait/backoff.go}). Immutable: each step gives the next
 * state.
 *
 * <p>Once the steps are used up, or the cap is reached, the delay stays as it is.
 *
 * @param duration the next delay, before jitter
 * @param factor by how much the delay grows with each step; 0 leaves it as it is
 * @param jitter which part of each delay is added to it at most, at random; 0 for none
 * @param steps how many more times the delay may grow
 * @param cap the longest delay, before jitter; zero for none
 */
public record BackoffSteps(Duration duration, double factor, double jitter, int steps, Duration cap) {

    /** Checks that there are durations; cuts the delay to what 64 bits hold in nanoseconds, 292 years. */
    public BackoffSteps {
        Objects.requireNonNull(duration, "duration");
        Objects.requireNonNull(cap, "cap");
        duration = Duration.ofNanos(TimeUnit.NANOSECONDS.convert(duration));
    }

    /** Returns the state after the next delay was used. */
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
     * Returns the next delay.
     *
     * @param random gives numbers from 0 (inclusive) to 1 (exclusive); not asked without jitter
     */
    public Duration delay(DoubleSupplier random) {
        return jitter <= 0 ? duration : duration.plusNanos((long) (random.getAsDouble() * jitter * duration.toNanos()));
    }
}
