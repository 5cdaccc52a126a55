package io.kubeloop.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kubeloop.workqueue.AlarmClock;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ControllerTimeTest {

    private final AtomicLong nanoTime = new AtomicLong(-5);
    private final Clock clock = ControllerTime.steady(new AlarmClock() {
        @Override
        public long nanoTime() {
            return nanoTime.get();
        }

        @Override
        public Alarm newAlarm(String name, Runnable action) {
            throw new AssertionError("a clock needs no alarm");
        }
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
