package io.kubeloop.controller;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Objects;
import java.util.function.LongSupplier;

/**
 * Measures how old something is: an expectation, a write, a pod that the cache has not shown. Goes on evenly while the machine's
 * clock is set forward or back, as the readings of Go's {@code time.Now} do; what it shows says nothing of the time of day.
 *
 * <p>Whoever writes a time into an object, or compares with one that stands in an object, needs the wall clock instead.
 *
 * <p>As thread-safe as the source of its time.
 */
public final class SteadyClock extends Clock {

    private final LongSupplier nanoTime;

    /**
     * Makes a clock.
     *
     * @param nanoTime nanoseconds since any fixed moment, such as {@code System::nanoTime}, or those of a work queue's clock
     */
    public SteadyClock(LongSupplier nanoTime) {
        this.nanoTime = Objects.requireNonNull(nanoTime, "nanoTime");
    }

    @Override
    public Instant instant() {
        return Instant.EPOCH.plusNanos(nanoTime.getAsLong());
    }

    @Override
    public ZoneId getZone() {
        return ZoneOffset.UTC;
    }

    /** Throws: without a time of day there is none of a place. */
    @Override
    public Clock withZone(ZoneId zone) {
        throw new UnsupportedOperationException("a steady clock has no time of day, so none in " + zone);
    }
}
