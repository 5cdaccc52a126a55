/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller;

import io.kubeloop.runtime.Scheduler;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Objects;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.DoubleSupplier;

/**
 * The time sources of a controller process: every wait, every age and every written timestamp comes from here. Tests
 * replace them. As thread-safe as its parts; the system's are thread-safe.
 *
 * @param wall the time of day, for timestamps that are written into objects or compared with those in objects
 * @param monotonic elapsed time and alarms; decides about every wait and every lease
 * @param random supplies numbers from 0 (inclusive) to 1 (exclusive) for jitter, so candidates do not act at the same
 *     moment
 */
public record ControllerTime(Clock wall, Scheduler monotonic, DoubleSupplier random) {

    /** Checks that nothing is null. */
    public ControllerTime {
        Objects.requireNonNull(wall, "wall");
        Objects.requireNonNull(monotonic, "monotonic");
        Objects.requireNonNull(random, "random");
    }

    /** Returns the time of the machine; alarms ring on daemon threads. */
    public static ControllerTime system() {
        return new ControllerTime(Clock.systemUTC(), Scheduler.system(), ControllerTime::threadLocalRandom);
    }

    /** Returns the time of the machine; alarms ring on threads of this factory. */
    public static ControllerTime system(ThreadFactory threads) {
        return new ControllerTime(Clock.systemUTC(), Scheduler.system(threads), ControllerTime::threadLocalRandom);
    }

    private static double threadLocalRandom() {
        return ThreadLocalRandom.current().nextDouble();
    }

    /**
     * Returns a clock that measures ages by monotonic time: of an expectation, of a write, of a pod that the cache has
     * not shown. It advances evenly while the machine's clock is set forward or back, as Go's {@code time.Now} does.
     *
     * <p>Its instants are not the time of day. A timestamp in an object needs the wall clock.
     */
    public static Clock steady(Scheduler monotonic) {
        return new SteadyClock(Objects.requireNonNull(monotonic, "monotonic"));
    }

    private static final class SteadyClock extends Clock {

        private final Scheduler monotonic;

        SteadyClock(Scheduler monotonic) {
            this.monotonic = monotonic;
        }

        @Override
        public Instant instant() {
            return Instant.EPOCH.plusNanos(monotonic.nanoTime());
        }

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            throw new UnsupportedOperationException("a steady clock has no time of day, so it has no zone " + zone);
        }
    }
}
