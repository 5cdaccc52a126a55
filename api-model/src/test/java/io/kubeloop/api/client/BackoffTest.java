/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import org.junit.jupiter.api.Test;

class BackoffTest {

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
