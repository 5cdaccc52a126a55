/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.cache.reflector;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.runtime.testing.ManualScheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** RE-70: one timer for each watch phase. */
class ResyncTimerTest {

    private final ManualScheduler scheduler = new ManualScheduler();
    private final List<String> resyncs = new ArrayList<>();
    private Duration period = Duration.ofSeconds(10);
    private Runnable duringResync = () -> {};
    private final ResyncTimer timer = new ResyncTimer(scheduler, new ResyncTimer.Target() {
        @Override
        public Duration period() {
            return period;
        }

        @Override
        public void resyncIfDue() {
            resyncs.add(scheduler.now().toString());
            duringResync.run();
        }
    });

    @Test
    void fires_eachTimeThePeriodHasPassedUntilStopped() {
        timer.start();
        scheduler.advance(Duration.ofSeconds(25));
        assertThat(resyncs).containsExactly("1970-01-01T00:00:10Z", "1970-01-01T00:00:20Z");
        timer.stop();
        scheduler.advance(Duration.ofMinutes(1));
        assertThat(resyncs).hasSize(2);
        assertThat(scheduler.waiting()).isZero();
    }

    @Test
    void start_again_beginsANewPeriod() {
        timer.start();
        scheduler.advance(Duration.ofSeconds(9));
        timer.stop();
        timer.start();
        scheduler.advance(Duration.ofSeconds(9));
        assertThat(resyncs).isEmpty();
        scheduler.advance(Duration.ofSeconds(1));
        assertThat(resyncs).hasSize(1);
    }

    @Test
    void restartDuringAResync_leavesOneTimerRunning() {
        duringResync = () -> {
            timer.stop();
            timer.start();
        };
        timer.start();
        scheduler.advance(Duration.ofSeconds(10));
        assertThat(scheduler.waiting()).isEqualTo(1);
        timer.stop();
        assertThat(scheduler.waiting()).isZero();
    }

    /** A thread may be suspended for a whole period between setting a timer and storing its timeout. */
    @Test
    void firesBeforeItsCancelIsKept_leavesNothingBehindWhenStopped() {
        scheduler.afterSchedule(() -> scheduler.advance(Duration.ofSeconds(10)));
        timer.start();
        assertThat(resyncs).hasSize(1);
        assertThat(scheduler.waiting()).isEqualTo(1);
        timer.stop();
        assertThat(scheduler.waiting()).isZero();
    }

    @Test
    void zeroPeriod_neverFires() {
        period = Duration.ZERO;
        timer.start();
        assertThat(scheduler.waiting()).isZero();
        timer.stop();
    }
}
