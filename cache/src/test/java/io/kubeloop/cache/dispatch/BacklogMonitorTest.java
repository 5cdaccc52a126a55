/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.cache.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.runtime.testing.ManualScheduler;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Tests when a handler counts as behind, and when that is reported. */
class BacklogMonitorTest {

    private static final int OVER = BacklogMonitor.BOUND + 1;

    private final ManualScheduler scheduler = new ManualScheduler();
    private final AtomicInteger pending = new AtomicInteger();
    private final BacklogMonitor watch = new BacklogMonitor(scheduler, pending::get, new Recorder());
    private final List<String> told = new ArrayList<>();

    private final class Recorder implements BacklogMonitor.Alarm {
        @Override
        public void fellBehind(int pending, Duration age) {
            told.add("behind by " + pending + " for " + age);
        }

        @Override
        public void caughtUp(Duration age) {
            told.add("caught up after " + age);
        }
    }

    private void fallBehind() {
        pending.set(OVER);
        watch.observe();
    }

    private void catchUp() {
        pending.set(BacklogMonitor.BOUND / 2);
        watch.recover();
    }

    private List<String> told(Runnable action) {
        told.clear();
        action.run();
        return List.copyOf(told);
    }

    @Test
    void backlog_overTheBoundForLongEnough_isToldOnceAndItsEndToo() {
        // DI-03
        fallBehind();
        assertThat(watch.since()).isEqualTo(scheduler.now());
        assertThat(told(() -> scheduler.advance(BacklogMonitor.PATIENCE.minusNanos(1))))
                .isEmpty();
        assertThat(told(() -> scheduler.advance(Duration.ofNanos(1)))).containsExactly("behind by 1025 for PT10S");
        assertThat(told(() -> {
                    watch.observe();
                    scheduler.advance(Duration.ofMinutes(5));
                    watch.recover();
                }))
                .as("said once")
                .isEmpty();
        assertThat(told(this::catchUp)).containsExactly("caught up after PT5M10S");
        assertThat(watch.since()).isNull();
        assertThat(told(this::catchUp)).isEmpty();
        assertThat(scheduler.waiting()).isZero();
    }

    @Test
    void burst_thatIsOverInTime_isNotTold() {
        fallBehind();
        scheduler.advance(Duration.ofSeconds(9));
        assertThat(told(() -> {
                    catchUp();
                    scheduler.advance(Duration.ofSeconds(1));
                }))
                .isEmpty();
        assertThat(scheduler.waiting()).isZero();
        assertThat(watch.isFine()).isTrue();
    }

    @Test
    void backlog_thatShrankJustUnderTheBound_isForgottenByTheTimer() {
        fallBehind();
        pending.set(BacklogMonitor.BOUND);
        watch.recover();
        assertThat(watch.isFine()).as("not little enough to relax").isFalse();
        assertThat(told(() -> scheduler.advance(BacklogMonitor.PATIENCE))).isEmpty();
        assertThat(watch.isFine()).isTrue();
    }

    @Test
    void backlog_atTheBound_isFine() {
        pending.set(BacklogMonitor.BOUND);
        watch.observe();
        assertThat(watch.isFine()).isTrue();
        assertThat(scheduler.waiting()).isZero();
    }

    @Test
    void warnings_ofOneHandler_areAMinuteApart() {
        fallBehind();
        scheduler.advance(BacklogMonitor.PATIENCE);
        catchUp();
        fallBehind();
        Instant since = scheduler.now();
        assertThat(told(() -> scheduler.advance(Duration.ofSeconds(59)))).isEmpty();
        assertThat(told(() -> scheduler.advance(BacklogMonitor.PATIENCE))).containsExactly("behind by 1025 for PT1M");
        assertThat(watch.since()).isEqualTo(since);
    }

    @Test
    void timerThatCannotBeSet_costsNoThread_andIsTriedAgain_I7() {
        scheduler.afterSchedule(BacklogMonitorTest::failForWantOfAThread);
        fallBehind();
        assertThat(watch.isFine()).isTrue();
        fallBehind();
        assertThat(told(() -> scheduler.advance(BacklogMonitor.PATIENCE))).containsExactly("behind by 1025 for PT10S");
    }

    private static void failForWantOfAThread() {
        throw new Error("scripted: unable to create native thread");
    }

    @Test
    void closed_saysNothingAndLeavesNoTimer() {
        fallBehind();
        watch.close();
        assertThat(scheduler.waiting()).isZero();
        pending.set(OVER);
        BacklogMonitor late = new BacklogMonitor(scheduler, pending::get, new Recorder());
        late.close();
        late.observe();
        assertThat(scheduler.waiting()).isZero();
    }

    /** A timer may fire before schedule() has returned its timeout. */
    @Test
    void closed_whileItsTimerCannotBeCancelled_saysNothing() {
        fallBehind();
        scheduler.advance(BacklogMonitor.PATIENCE);
        catchUp();
        scheduler.advance(
                Duration.ofSeconds(45)); // the first check falls into the minute without warnings, the second does not
        scheduler.afterSchedule(() -> scheduler.advance(BacklogMonitor.PATIENCE));
        fallBehind();
        watch.close();
        assertThat(told(() -> scheduler.advance(Duration.ofMinutes(2)))).isEmpty();
    }

    @Test
    void recovery_whileTheWarningIsRaised_isToldAfterIt_C7() {
        List<String> log = new ArrayList<>();
        AtomicReference<BacklogMonitor> watched = new AtomicReference<>();
        BacklogMonitor raced = new BacklogMonitor(scheduler, pending::get, new BacklogMonitor.Alarm() {
            @Override
            public void fellBehind(int pending, Duration age) {
                // The handler's thread catches up while the timer thread is about to write.
                BacklogMonitorTest.this.pending.set(0);
                watched.get().recover();
                log.add("behind");
            }

            @Override
            public void caughtUp(Duration age) {
                log.add("caught up");
            }
        });
        watched.set(raced);
        pending.set(OVER);
        raced.observe();
        scheduler.advance(BacklogMonitor.PATIENCE);
        assertThat(log).containsExactly("behind", "caught up");
        assertThat(raced.isFine()).isTrue();
    }
}
