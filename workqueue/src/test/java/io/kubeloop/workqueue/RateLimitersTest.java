/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.workqueue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.kubeloop.runtime.testing.ManualScheduler;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class RateLimitersTest {

    private final ManualScheduler clock = new ManualScheduler();

    @Test
    void defaultController_isABurstOf100Then10PerSecond_RL06() {
        RateLimiter<Integer> limiter = RateLimiters.defaultController(clock);

        for (int item = 0; item < 100; item++) {
            assertThat(limiter.when(item)).isEqualTo(Duration.ofMillis(5));
        }
        assertThat(limiter.when(100)).isEqualTo(Duration.ofMillis(100));
        assertThat(limiter.when(101)).isEqualTo(Duration.ofMillis(200));
    }

    @Test
    void exponential_withLimitsFarApart_doesNotOverflow_RL01() {
        RateLimiter<String> limiter = RateLimiters.exponential(Duration.ofNanos(1), Duration.ofSeconds(Long.MAX_VALUE));

        Duration before = Duration.ZERO;
        for (int i = 0; i < 200; i++) {
            Duration delay = limiter.when("a");
            assertThat(delay).isGreaterThanOrEqualTo(before);
            before = delay;
        }
        assertThat(before).isEqualTo(Duration.ofSeconds(Long.MAX_VALUE));
    }

    @Test
    void withMaxWait_shortensAndPassesTheRestOn_RL05() {
        RateLimiter<String> limiter = RateLimiters.withMaxWait(
                RateLimiters.exponential(Duration.ofMillis(5), Duration.ofSeconds(1)), Duration.ofMillis(10));

        assertThat(limiter.when("a")).isEqualTo(Duration.ofMillis(5));
        assertThat(limiter.when("a")).isEqualTo(Duration.ofMillis(10));
        assertThat(limiter.when("a")).isEqualTo(Duration.ofMillis(10));
        assertThat(limiter.numRequeues("a")).isEqualTo(3);
        limiter.forget("a");
        assertThat(limiter.numRequeues("a")).isZero();
    }

    @Test
    void bucketWithoutRoom_neverLetsPass() {
        RateLimiter<String> limiter = RateLimiters.bucket(5, 0, clock);

        assertThat(limiter.when("a")).isGreaterThan(Duration.ofDays(365));
    }

    @Test
    void bucketWithoutRate_isRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> RateLimiters.bucket(0, 1, clock));
        assertThatIllegalArgumentException().isThrownBy(() -> RateLimiters.bucket(Double.NaN, 1, clock));
        assertThatIllegalArgumentException().isThrownBy(() -> RateLimiters.bucket(1, -1, clock));
    }

    @Test
    void exponentialWithANegativeDelay_isRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RateLimiters.exponential(Duration.ofMillis(-1), Duration.ZERO));
    }
}
