/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.leaderelection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kubeloop.api.ObjectName;
import io.kubeloop.controller.ControllerException;
import io.kubeloop.runtime.Scheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The calls of the work, with an elector that never starts: the test makes its calls. */
@Timeout(20)
class LeaderRunTest implements LeaderRun.Work {

    private final List<String> calls = new ArrayList<>();
    private final AtomicReference<LeaderCallbacks> elector = new AtomicReference<>();
    private Runnable starts = () -> {};
    private Runnable stops = () -> {};

    private LeaderRun run() {
        LeaseLock lock = new LeaseLock(new FakeLeases(), new ObjectName("default", "tested"), "a");
        return new LeaderRun(this, Scheduler.system(), Duration.ofSeconds(10), calls::add, callbacks -> {
            elector.set(callbacks);
            return LeaderElectionConfig.of(lock, callbacks);
        });
    }

    @Override
    public void start() {
        calls.add("start");
        starts.run();
    }

    @Override
    public void stop() {
        calls.add("stop");
        stops.run();
    }

    @Override
    public void abandon() {
        calls.add("abandon");
    }

    @Override
    public void awaitTermination() {
        calls.add("awaitTermination");
    }

    @Test
    void requestEnd_beforeTheWorkBegins_startsNothing() throws Exception {
        LeaderRun run = run();
        run.requestEnd();
        elector.get().onStartedLeading();
        elector.get().onStoppedLeading();
        assertThat(calls).containsExactly("abandon", "awaitTermination");
        run.awaitEnd();
    }

    @Test
    void requestEnd_whileWorking_stopsTheWorkInOrder() throws Exception {
        LeaderRun run = run();
        starts = run::requestEnd;
        elector.get().onStartedLeading();
        elector.get().onStoppedLeading();
        assertThat(calls).containsExactly("start", "stop", "awaitTermination");
        run.awaitEnd();
    }

    @Test
    void neverLed_isAbandonedByTheElectorsThread_andALaterStartDoesNothing() throws Exception {
        LeaderRun run = run();
        run.requestEnd();
        elector.get().onStoppedLeading();
        elector.get().onStartedLeading();
        assertThat(calls).containsExactly("abandon");
        run.awaitEnd();
    }

    private void assertFails(LeaderRun run, Throwable failure, String... expected) throws Exception {
        elector.get().onStartedLeading();
        elector.get().onStoppedLeading();
        assertThat(calls).containsExactly(expected);
        assertThatThrownBy(run::awaitEnd).isSameAs(failure);
    }

    @Test
    void start_thatFails_isAbandoned_andReported() throws Exception {
        RuntimeException failure = new IllegalStateException("no informers today");
        LeaderRun run = run();
        starts = () -> {
            throw failure;
        };
        assertFails(run, failure, "start", "abandon", "awaitTermination");
    }

    @Test
    void start_thatEndsWithAnError_isAbandoned_andReported() throws Exception {
        Error failure = new NoClassDefFoundError("no files left to load it from");
        LeaderRun run = run();
        starts = () -> {
            throw failure;
        };
        assertFails(run, failure, "start", "abandon", "awaitTermination");
    }

    @Test
    void stop_thatFails_isReported() throws Exception {
        RuntimeException failure = new ControllerException("late", null);
        LeaderRun run = run();
        starts = run::requestEnd;
        stops = () -> {
            throw failure;
        };
        assertFails(run, failure, "start", "stop", "awaitTermination");
    }

    @Test
    void fail_isReported_beforeALostLease() throws Exception {
        RuntimeException failure = new IllegalStateException("a thread failed");
        LeaderRun run = run();
        starts = () -> run.fail(failure);
        assertFails(run, failure, "start", "stop", "awaitTermination");
    }

    @Test
    void interrupt_abandonsTheWork_asALostLease() {
        LeaderRun run = run();
        starts = () -> Thread.currentThread().interrupt();
        assertThatThrownBy(() -> elector.get().onStartedLeading()).isInstanceOf(InterruptedException.class);
        elector.get().onStoppedLeading();
        assertThat(calls).containsExactly("start", "abandon", "awaitTermination");
        assertThatThrownBy(run::awaitEnd)
                .isInstanceOf(ControllerException.class)
                .hasMessage("lost the lease default/tested: it could not be renewed in time");
    }

    @Test
    void newLeaders_arePassedOn() {
        LeaderRun run = run();
        elector.get().onNewLeader("other-host_1");
        elector.get().onNewLeader("");
        assertThat(calls).containsExactly("other-host_1", "");
        assertThat(run.isLeading()).isFalse();
    }

    @Test
    void withoutElection_startsAtOnce_andTheFirstThatEndsItStopsIt() {
        LeaderRun run = new LeaderRun(this, Scheduler.system(), Duration.ofSeconds(10), calls::add, null);
        run.start();
        assertThat(run.isLeading()).isTrue();
        run.requestEnd();
        assertThatCode(run::awaitEnd).doesNotThrowAnyException();
        run.close();
        assertThat(run.isLeading()).isFalse();
        assertThat(calls).containsExactly("start", "stop");
    }
}
