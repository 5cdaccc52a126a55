/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kubeloop.runtime.Scheduler;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ControllerTimeTest {

    private final AtomicLong nanoTime = new AtomicLong(-5);
    private final Clock clock = ControllerTime.steady(new Scheduler() {
        @Override
        public long nanoTime() {
            return nanoTime.get();
        }

        @Override
        public Instant now() {
            throw new AssertionError("a steady clock has no time of day");
        }

        @Override
        public Task scheduleAt(long nanoTime, Runnable task) {
            throw new AssertionError("a clock needs no task");
        }

        @Override
        public void close() {}
    });

    @Test
    void steady_ofTwoMoments_isAsFarApartAsTheyWere() {
        Instant before = clock.instant();
        nanoTime.addAndGet(Duration.ofMinutes(5).toNanos());
        assertThat(Duration.between(before, clock.instant())).isEqualTo(Duration.ofMinutes(5));
    }

    @Test
    void steady_withZone_saysWhyNot() {
        assertThatThrownBy(() -> clock.withZone(ZoneOffset.MAX))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("no time of day");
    }
}
