package io.kubeloop.cache.reflector;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.cache.fake.ManualTimers;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** RE-45. */
class InternalErrorBudgetTest {

    private final ManualTimers timers = new ManualTimers();
    private final InternalErrorBudget budget = new InternalErrorBudget(timers, Duration.ofSeconds(90));

    @Test
    void allows_zeroBudget_never() {
        assertThat(new InternalErrorBudget(timers, Duration.ZERO).allows()).isFalse();
    }

    @Test
    void allows_untilTheBudgetHasPassedSinceTheFirstError_thenRefusesOnce() {
        assertThat(budget.allows()).isTrue();
        timers.advance(Duration.ofSeconds(45));
        assertThat(budget.allows()).isTrue();
        timers.advance(Duration.ofSeconds(45));
        assertThat(budget.allows()).as("to the last moment").isTrue();
        timers.advance(Duration.ofNanos(1));
        assertThat(budget.allows()).as("used up").isFalse();
        assertThat(budget.allows()).as("begins anew").isTrue();
        timers.advance(Duration.ofSeconds(59));
        assertThat(budget.allows()).isTrue();
    }

    @Test
    void allows_aMinuteWithoutErrors_beginsAnew() {
        budget.allows();
        timers.advance(Duration.ofSeconds(59));
        budget.allows();
        timers.advance(Duration.ofSeconds(60));
        assertThat(budget.allows())
                .as("119 s after the first, but a minute after the last")
                .isTrue();
        timers.advance(Duration.ofSeconds(50));
        assertThat(budget.allows()).isTrue();
        timers.advance(Duration.ofSeconds(41));
        assertThat(budget.allows()).as("91 s after the new first").isFalse();
    }
}
