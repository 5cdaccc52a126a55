/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.events.correlation;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.core.Event;
import io.kubeloop.api.core.EventBuilder;
import io.kubeloop.controller.events.EventCorrelatorOptions;
import io.kubeloop.testing.ManualClock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.junit.jupiter.api.Test;

class EventSpamFilterTest {

    private static final Event EVENT = EventBuilder.builder().reason("Tested").build();

    private final ManualClock clock = new ManualClock(Instant.parse("2026-01-01T00:00:00Z"));
    private final EventSpamFilter filter = new EventSpamFilter(
            new EventCorrelatorOptions(10, 1, Duration.ofMinutes(5), 10, Duration.ofMinutes(10)), clock);

    private boolean isSpamAfter(Duration pause) {
        clock.advance(pause);
        return filter.isSpam(EVENT);
    }

    @Test
    void isSpam_tenTimesATenthOfTheTime_isTheWholeTime() {
        assertThat(filter.isSpam(EVENT)).isFalse();
        for (int i = 1; i <= 20; i++) {
            assertThat(isSpamAfter(Duration.ofSeconds(30))).as("event %d", i).isEqualTo(i % 10 != 0);
        }
    }

    @Test
    void isSpam_longPause_givesNoMoreThanTheBurst() {
        assertThat(isSpamAfter(Duration.ofDays(1))).isFalse();
        assertThat(isSpamAfter(Duration.ofNanos(1))).isTrue();
    }

    @Test
    void isSpam_refillThatNoClockHolds_letsTheBurstThroughAndNoMore() {
        EventSpamFilter strict = new EventSpamFilter(
                new EventCorrelatorOptions(10, 2, ChronoUnit.FOREVER.getDuration(), 10, Duration.ofMinutes(10)), clock);

        assertThat(strict.isSpam(EVENT)).isFalse();
        assertThat(strict.isSpam(EVENT)).isFalse();
        clock.advance(Duration.ofDays(365));
        assertThat(strict.isSpam(EVENT)).isTrue();
    }

    @Test
    void isSpam_clockSetBack_givesAndTakesNothing() {
        assertThat(filter.isSpam(EVENT)).isFalse();
        assertThat(isSpamAfter(Duration.ofMinutes(4))).isTrue();
        assertThat(isSpamAfter(Duration.ofHours(-1))).isTrue();
        assertThat(isSpamAfter(Duration.ofMinutes(1))).isFalse();
    }
}
