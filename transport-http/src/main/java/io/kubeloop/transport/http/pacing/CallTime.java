/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.transport.http.pacing;

import java.time.Clock;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * The clocks of one transport, and its way to wait. A test replaces all three. Thread-safe.
 *
 * @param nanoTime a monotonic clock, in nanoseconds
 * @param wall the time of day, which the expiry of credentials refers to
 * @param pause waits between two attempts
 */
public record CallTime(LongSupplier nanoTime, Clock wall, Pause pause) {

    /** Waits between two attempts. */
    @FunctionalInterface
    public interface Pause {

        /**
         * Blocks for a duration, or until the transport is closed.
         *
         * @return whether the transport is still open
         * @throws InterruptedException if the calling thread is interrupted
         */
        boolean await(Duration duration) throws InterruptedException;
    }
}
