package io.kubeloop.cache;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class SeldomTest {

    @Test
    void now_isTrueOnceAMinute() {
        ManualTimers timers = new ManualTimers();
        Seldom seldom = new Seldom(timers);
        assertThat(seldom.now()).isTrue();
        assertThat(seldom.now()).isFalse();
        timers.advance(Duration.ofSeconds(59));
        assertThat(seldom.now()).isFalse();
        timers.advance(Duration.ofSeconds(1));
        assertThat(seldom.now()).isTrue();
        assertThat(seldom.now()).isFalse();
    }
}
