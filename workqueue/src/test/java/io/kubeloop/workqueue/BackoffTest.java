package io.kubeloop.workqueue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.kubeloop.testing.ManualClock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.junit.jupiter.api.Test;

class BackoffTest {

    private final ManualClock clock = new ManualClock(Instant.EPOCH);

    @Test
    void next_withJitter_addsAPartOfTheDelayBefore_FC03() {
        Backoff<String> backoff = new Backoff<>(Duration.ofSeconds(1), Duration.ofSeconds(60), 0.5, clock, () -> 0.5);

        backoff.next("a", clock.instant());
        assertThat(backoff.get("a")).isEqualTo(Duration.ofMillis(1250));
        backoff.next("a", clock.instant());
        assertThat(backoff.get("a")).isEqualTo(Duration.ofNanos(2_812_500_000L));
    }

    @Test
    void next_withAnInitialDelayAboveTheMaximum_isNotCut_FC06() {
        Backoff<String> backoff = new Backoff<>(Duration.ofSeconds(5), Duration.ofSeconds(1), clock);

        backoff.next("a", clock.instant());
        assertThat(backoff.get("a")).isEqualTo(Duration.ofSeconds(5));
        backoff.next("a", clock.instant());
        assertThat(backoff.get("a")).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void inBackOff_ofAnExpiredKey_isFalse_FC05() {
        Backoff<String> backoff = new Backoff<>(Duration.ofSeconds(5), Duration.ofSeconds(1), clock);
        backoff.next("a", clock.instant());
        clock.advance(Duration.ofSeconds(3));

        assertThat(backoff.isInBackOffSince("a", clock.instant())).isFalse();
        assertThat(backoff.isInBackOffSinceUpdate("a", clock.instant())).isFalse();
    }

    @Test
    void next_withoutAMaximum_doublesOn() {
        Duration forever = ChronoUnit.FOREVER.getDuration();
        Backoff<String> backoff = new Backoff<>(Duration.ofSeconds(1), forever, clock);
        backoff.next("a", clock.instant());
        backoff.next("a", clock.instant());
        assertThat(backoff.get("a")).isEqualTo(Duration.ofSeconds(2));
        assertThat(backoff.isInBackOffSince("a", clock.instant())).isTrue();

        Backoff<String> neverAgain = new Backoff<>(forever, forever, 0.5, clock, () -> 0.5);
        neverAgain.next("a", clock.instant());
        neverAgain.next("a", clock.instant());
        clock.advance(Duration.ofDays(36_500));
        assertThat(neverAgain.isInBackOffSinceUpdate("a", clock.instant())).isTrue();

        Backoff<String> jittery = new Backoff<>(forever, forever, 4, clock, () -> 0.5);
        jittery.next("a", clock.instant());
        jittery.next("a", clock.instant());
        assertThat(jittery.isInBackOffSinceUpdate("a", clock.instant())).isTrue();
    }

    @Test
    void negativeDelay_isRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Backoff<>(Duration.ofSeconds(-1), Duration.ofSeconds(1), clock));
    }

    @Test
    void steps_withJitter_addAPartOfTheDelay_RT03() {
        BackoffSteps steps = new BackoffSteps(Duration.ofMillis(100), 2, 0.1, 3, Duration.ZERO);

        assertThat(steps.delay(() -> 0.5)).isEqualTo(Duration.ofMillis(105));
        assertThat(steps.next().delay(() -> 0)).isEqualTo(Duration.ofMillis(200));
    }

    @Test
    void steps_thatNoClockHolds_areTheLongest() {
        Duration forever = ChronoUnit.FOREVER.getDuration();
        Duration longest = Duration.ofNanos(Long.MAX_VALUE);
        BackoffSteps steps = new BackoffSteps(forever, 2, 0.5, 3, forever);

        assertThat(steps.delay(() -> 0)).isEqualTo(longest);
        assertThat(steps.delay(() -> 0.5)).isGreaterThan(longest);
        assertThat(steps.next().delay(() -> 0)).isEqualTo(longest);
        assertThat(new BackoffSteps(Duration.ofSeconds(1), 1e12, 0, 3, forever)
                        .next()
                        .duration())
                .isEqualTo(longest);
    }
}
