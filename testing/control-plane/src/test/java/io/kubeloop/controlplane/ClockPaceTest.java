/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controlplane;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ClockPaceTest {

    private static final Duration READINGS = Duration.ofMillis(1);

    @Test
    void zero_stopsTheClock_andItsTimers() throws InterruptedException {
        try (SimulatedClock clock = SimulatedClock.running()) {
            clock.setPace(0);
            Instant stopped = clock.now();
            CountDownLatch fired = new CountDownLatch(1);
            clock.scheduler().schedule(Duration.ofMillis(10), fired::countDown);

            assertThat(fired.await(50, TimeUnit.MILLISECONDS)).isFalse();
            assertThat(clock.now()).isBetween(stopped, stopped.plus(READINGS));
            clock.setPace(1);
            fired.await();
        }
    }

    @Test
    void fastClock_firesATimerEarly_andNeverMovesBack() throws InterruptedException {
        try (SimulatedClock clock = SimulatedClock.frozen(Instant.EPOCH)) {
            CountDownLatch fired = new CountDownLatch(1);
            clock.scheduler().schedule(Duration.ofMinutes(10), fired::countDown);
            clock.setPace(1000);
            fired.await();
            Instant late = clock.now();
            clock.setPace(0.1);

            assertThat(late).isAfterOrEqualTo(Instant.EPOCH.plus(Duration.ofMinutes(10)));
            assertThat(clock.now()).isAfterOrEqualTo(late);
        }
    }

    @Test
    void outOfRange_isRefused() {
        try (SimulatedClock clock = SimulatedClock.running()) {
            assertThatThrownBy(() -> clock.setPace(-1)).hasMessageContaining("-1");
            assertThatThrownBy(() -> clock.setPace(Double.NaN)).hasMessageContaining("NaN");
        }
    }
}
