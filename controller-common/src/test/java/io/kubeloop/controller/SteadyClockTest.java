package io.kubeloop.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class SteadyClockTest {

    private final AtomicLong nanoTime = new AtomicLong(-5);
    private final Clock clock = new SteadyClock(nanoTime::get);

    @Test
    void instant_ofTwoMoments_isAsFarApartAsTheyWere() {
        Instant before = clock.instant();
        nanoTime.addAndGet(Duration.ofMinutes(5).toNanos());
        assertThat(Duration.between(before, clock.instant())).isEqualTo(Duration.ofMinutes(5));
    }

    @Test
    void withZone_any_saysWhyNot() {
        assertThatThrownBy(() -> clock.withZone(ZoneOffset.MAX))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("no time of day");
    }
}
