/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.client;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleSupplier;

/**
 * The number of attempts of {@link ResourceClient#edit} and {@link ResourceClient#createOrUpdate}, and the delays
 * between them (upstream: {@code client-go/util/retry}).
 *
 * <p>The delay doubles with each attempt, and a random part of up to 100 % is added, so that clients that collided do
 * not collide again.
 *
 * @param attempts the number of attempts, at least 1
 * @param firstDelay the delay before the second attempt, without its random part; not negative
 * @param delay waits on the calling thread; tests replace it
 * @param random values from 0 to 1, for the random part; tests replace it
 */
public record ConflictRetry(int attempts, Duration firstDelay, Delay delay, DoubleSupplier random) {

    /** Five attempts. The delays are 10, 20, 40 and 80 ms, and up to twice as long with the random part. */
    public static final ConflictRetry DEFAULT = new ConflictRetry(
            5,
            Duration.ofMillis(10),
            duration -> TimeUnit.NANOSECONDS.sleep(duration.toNanos()),
            () -> ThreadLocalRandom.current().nextDouble());

    /** Blocks the calling thread for a time. */
    @FunctionalInterface
    public interface Delay {

        /**
         * Blocks for this long.
         *
         * @throws InterruptedException if the calling thread is interrupted
         */
        void await(Duration duration) throws InterruptedException;
    }

    /** Checks the ranges. */
    public ConflictRetry {
        if (attempts < 1 || firstDelay.isNegative()) {
            throw new IllegalArgumentException("a retry needs at least 1 attempt and a delay that is not negative, got "
                    + attempts + " attempts and " + firstDelay);
        }
    }

    /** Returns the delay after a failed attempt, from 1 for the first. */
    Duration after(int attempt) {
        double factor = Math.scalb(1 + random.getAsDouble(), attempt - 1);
        return Duration.ofNanos((long) (firstDelay.toNanos() * factor));
    }
}
