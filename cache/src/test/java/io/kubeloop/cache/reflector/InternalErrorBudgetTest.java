/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.cache.reflector;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.runtime.testing.ManualScheduler;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** RE-45. */
class InternalErrorBudgetTest {

    private final ManualScheduler scheduler = new ManualScheduler();
    private final InternalErrorBudget budget = new InternalErrorBudget(scheduler, Duration.ofSeconds(90));

    @Test
    void allows_zeroBudget_never() {
        assertThat(new InternalErrorBudget(scheduler, Duration.ZERO).allows()).isFalse();
    }

    @Test
    void allows_untilTheBudgetHasPassedSinceTheFirstError_thenRefusesOnce() {
        assertThat(budget.allows()).isTrue();
        scheduler.advance(Duration.ofSeconds(45));
        assertThat(budget.allows()).isTrue();
        scheduler.advance(Duration.ofSeconds(45));
        assertThat(budget.allows()).as("to the last moment").isTrue();
        scheduler.advance(Duration.ofNanos(1));
        assertThat(budget.allows()).as("used up").isFalse();
        assertThat(budget.allows()).as("begins anew").isTrue();
        scheduler.advance(Duration.ofSeconds(59));
        assertThat(budget.allows()).isTrue();
    }

    @Test
    void allows_aMinuteWithoutErrors_beginsAnew() {
        budget.allows();
        scheduler.advance(Duration.ofSeconds(59));
        budget.allows();
        scheduler.advance(Duration.ofSeconds(60));
        assertThat(budget.allows())
                .as("119 s after the first, but a minute after the last")
                .isTrue();
        scheduler.advance(Duration.ofSeconds(50));
        assertThat(budget.allows()).isTrue();
        scheduler.advance(Duration.ofSeconds(41));
        assertThat(budget.allows()).as("91 s after the new first").isFalse();
    }
}
