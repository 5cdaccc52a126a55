/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.runtime.testing.ManualScheduler;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class LogThrottleTest {

    @Test
    void now_isTrueOnceAMinute() {
        ManualScheduler scheduler = new ManualScheduler();
        LogThrottle seldom = new LogThrottle(scheduler);
        assertThat(seldom.now()).isTrue();
        assertThat(seldom.now()).isFalse();
        scheduler.advance(Duration.ofSeconds(59));
        assertThat(seldom.now()).isFalse();
        scheduler.advance(Duration.ofSeconds(1));
        assertThat(seldom.now()).isTrue();
        assertThat(seldom.now()).isFalse();
    }
}
