/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.cache.reflector;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.runtime.testing.ManualScheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReflectorBackoffTest {

    private final ManualScheduler scheduler = new ManualScheduler();

    @Test
    void next_withoutJitter_doublesUpToThirtySeconds() {
        // RE-11
        ReflectorBackoff backoff = new ReflectorBackoff(scheduler, () -> 0);
        List<Long> millis = new ArrayList<>();
        for (int i = 0; i < 9; i++) {
            millis.add(backoff.next().toMillis());
        }
        assertThat(millis).containsExactly(800L, 1600L, 3200L, 6400L, 12_800L, 25_600L, 30_000L, 30_000L, 30_000L);
    }

    @Test
    void next_withJitter_isUpToTwice() {
        assertThat(new ReflectorBackoff(scheduler, () -> 0.5).next()).isEqualTo(Duration.ofMillis(1200));
        assertThat(new ReflectorBackoff(scheduler, () -> 0.999).next())
                .isBetween(Duration.ofMillis(1599), Duration.ofMillis(1600));
    }

    @Test
    void next_twoMinutesAfterTheLastReturn_beginsAgain() {
        // RE-12: counted from the last return to the beginning, not from the last failure.
        ReflectorBackoff backoff = new ReflectorBackoff(scheduler, () -> 0);
        for (int i = 0; i < 8; i++) {
            backoff.next();
        }
        scheduler.advance(Duration.ofMinutes(2));
        assertThat(backoff.next()).isEqualTo(ReflectorBackoff.MOST);
        scheduler.advance(Duration.ofNanos(1));
        assertThat(backoff.next()).isEqualTo(ReflectorBackoff.FIRST);
        scheduler.advance(Duration.ofSeconds(119));
        assertThat(backoff.next()).isEqualTo(ReflectorBackoff.FIRST.multipliedBy(2));
    }
}
