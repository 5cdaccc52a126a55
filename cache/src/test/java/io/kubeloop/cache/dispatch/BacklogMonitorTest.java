/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.cache.dispatch;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.runtime.testing.ManualScheduler;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** Tests when a handler counts as behind, and when that is logged. */
@Isolated("reads standard error")
class BacklogMonitorTest {

    private static final int OVER = BacklogMonitor.BOUND + 1;

    private final ManualScheduler scheduler = new ManualScheduler();
    private final AtomicInteger pending = new AtomicInteger();
    private final BacklogMonitor monitor = new BacklogMonitor("things", scheduler);
    private final BacklogMonitor.Backlog backlog = monitor.add("tested", pending::get);
    private final ByteArrayOutputStream written = new ByteArrayOutputStream();
    private final PrintStream before = System.err;

    @BeforeEach
    void listen() {
        System.setErr(new PrintStream(written, true, UTF_8));
    }

    @AfterEach
    void listenNoMore() {
        System.setErr(before);
    }

    private void fallBehind() {
        pending.set(OVER);
        backlog.observe();
    }

    private void catchUp() {
        pending.set(BacklogMonitor.BOUND / 2);
        backlog.recover();
    }

    /** Returns the lines about this handler that were written while the time passed, without what precedes its name. */
    private String[] logged(Duration time) {
        written.reset();
        scheduler.advance(time);
        return written.toString(UTF_8)
                .lines()
                .filter(line -> line.contains("handler tested "))
                .map(line -> line.replaceAll(".*handler tested ", ""))
                .toArray(String[]::new);
    }

    @Test
    void backlog_overTheBoundForLongEnough_isLoggedOnceAndItsEndToo() {
        // DI-03
        fallBehind();
        assertThat(backlog.since()).isEqualTo(scheduler.now());
        assertThat(logged(BacklogMonitor.PATIENCE.minusNanos(1))).isEmpty();
        assertThat(logged(Duration.ofNanos(1)))
                .containsExactly("is behind: 1025 notifications are pending, more than 1024 for 10 s");
        backlog.observe();
        backlog.recover();
        assertThat(logged(Duration.ofMinutes(5))).as("logged once").isEmpty();
        catchUp();
        assertThat(backlog.since()).isNull();
        assertThat(logged(BacklogMonitor.PATIENCE)).containsExactly("has caught up, after 320 s");
        assertThat(scheduler.waiting()).isZero();
    }

    @Test
    void burst_thatIsOverInTime_isNotLogged() {
        fallBehind();
        assertThat(logged(Duration.ofSeconds(9))).isEmpty();
        catchUp();
        assertThat(backlog.since()).isNull();
        fallBehind();
        assertThat(logged(Duration.ofSeconds(10).minusNanos(1)))
                .as("less than 10 s since it began")
                .isEmpty();
        catchUp();
        assertThat(logged(Duration.ofSeconds(20))).isEmpty();
        assertThat(scheduler.waiting()).isZero();
    }

    @Test
    void backlog_thatShrankJustUnderTheBound_isForgottenByTheCheck() {
        fallBehind();
        pending.set(BacklogMonitor.BOUND);
        backlog.recover();
        assertThat(backlog.since()).as("not little enough to recover").isNotNull();
        assertThat(logged(BacklogMonitor.PATIENCE)).isEmpty();
        assertThat(backlog.since()).isNull();
    }

    @Test
    void backlog_atTheBound_isFine() {
        pending.set(BacklogMonitor.BOUND);
        backlog.observe();
        assertThat(backlog.since()).isNull();
        assertThat(scheduler.waiting()).isZero();
    }

    @Test
    void warnings_ofOneHandler_areAMinuteApart_andFollowItsRecovery() {
        fallBehind();
        scheduler.advance(BacklogMonitor.PATIENCE);
        catchUp();
        fallBehind();
        Instant since = scheduler.now();
        assertThat(logged(Duration.ofSeconds(59))).containsExactly("has caught up, after 20 s");
        assertThat(logged(BacklogMonitor.PATIENCE))
                .containsExactly("is behind: 1025 notifications are pending, more than 1024 for 60 s");
        assertThat(backlog.since()).isEqualTo(since);
    }

    @Test
    void handlers_ofOneInformer_shareOneTask() {
        BacklogMonitor.Backlog other = monitor.add("other", pending::get);
        fallBehind();
        other.observe();
        assertThat(scheduler.waiting()).isEqualTo(1);
        assertThat(logged(BacklogMonitor.PATIENCE)).hasSize(1);
        assertThat(written.toString(UTF_8)).contains("handler other is behind");
        assertThat(scheduler.waiting()).isEqualTo(1);
    }

    @Test
    void closed_logsNothingAndLeavesNoTask() {
        fallBehind();
        backlog.close();
        assertThat(logged(BacklogMonitor.PATIENCE)).isEmpty();
        assertThat(scheduler.waiting()).isZero();

        monitor.close();
        BacklogMonitor.Backlog late = monitor.add("late", pending::get);
        late.observe();
        assertThat(scheduler.waiting()).isZero();
    }
}
