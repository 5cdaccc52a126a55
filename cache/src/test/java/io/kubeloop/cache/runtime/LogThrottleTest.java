package io.kubeloop.cache.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.cache.fake.ManualTimers;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class LogThrottleTest {

    @Test
    void now_isTrueOnceAMinute() {
        ManualTimers timers = new ManualTimers();
        LogThrottle seldom = new LogThrottle(timers);
        assertThat(seldom.now()).isTrue();
        assertThat(seldom.now()).isFalse();
        timers.advance(Duration.ofSeconds(59));
        assertThat(seldom.now()).isFalse();
        timers.advance(Duration.ofSeconds(1));
        assertThat(seldom.now()).isTrue();
        assertThat(seldom.now()).isFalse();
    }
}
