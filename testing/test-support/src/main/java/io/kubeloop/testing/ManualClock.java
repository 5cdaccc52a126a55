/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.testing;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.concurrent.atomic.AtomicReference;

/** A clock that moves only by calls of {@link #advance}. Thread-safe. */
public final class ManualClock extends Clock {

    private final AtomicReference<Instant> now;

    /** Creates a clock that stands at this time. */
    public ManualClock(Instant start) {
        now = new AtomicReference<>(start);
    }

    /** Moves the clock forward. */
    public void advance(Duration by) {
        now.updateAndGet(instant -> instant.plus(by));
    }

    @Override
    public Instant instant() {
        return now.get();
    }

    @Override
    public ZoneId getZone() {
        return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
        throw new IllegalArgumentException("a manual clock shows UTC only, not " + zone);
    }
}
