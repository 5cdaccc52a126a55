/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kubeloop.controller.parallel.ParallelExecutor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

class ControllerGroupTest {

    private static final Duration TIMEOUT = Duration.ofMinutes(1);

    private final List<String> calls = new ArrayList<>();
    private final List<Duration> timeouts = new ArrayList<>();

    /** A loop that records its calls; awaitTermination takes a millisecond. */
    private Controller loop(String name, boolean ends) {
        return new Controller() {
            @Override
            public String name() {
                return name;
            }

            @Override
            public void start(int workers) {
                calls.add(name + " starts " + workers);
            }

            @Override
            public void shutDown() {
                calls.add(name + " shuts down");
            }

            @Override
            public boolean awaitTermination(Duration timeout) {
                calls.add(name + " awaited");
                timeouts.add(timeout);
                long until = System.nanoTime() + 1_000_000;
                while (System.nanoTime() < until) {
                    Thread.onSpinWait();
                }
                return ends;
            }
        };
    }

    @Test
    void parts_startAndStopInOrder() {
        ControllerGroup group = ControllerGroup.named("group")
                .with(loop("first", true))
                .with(loop("second", true), 1)
                .onShutDown(() -> calls.add("action"));
        group.start(5);
        group.shutDown();
        assertThat(group.name()).isEqualTo("group");
        assertThat(group.awaitTermination(TIMEOUT)).isTrue();
        assertThat(calls)
                .containsExactly(
                        "first starts 5",
                        "second starts 1",
                        "first shuts down",
                        "second shuts down",
                        "action",
                        "first awaited",
                        "second awaited");
    }

    @Test
    void awaitTermination_sharesOneTimeout() {
        ControllerGroup group =
                ControllerGroup.named("group").with(loop("first", true)).with(loop("second", true));
        group.awaitTermination(TIMEOUT);
        assertThat(timeouts.get(1)).isLessThanOrEqualTo(TIMEOUT.minusMillis(1)).isPositive();
    }

    @Test
    void awaitTermination_withoutTimeLeft_awaitsEachPartForZero() {
        ControllerGroup group =
                ControllerGroup.named("group").with(loop("first", true)).with(loop("second", true));
        group.awaitTermination(Duration.ofNanos(1));
        assertThat(timeouts.get(1)).isZero();
    }

    @Test
    void awaitTermination_ofPartThatDoesNotEnd_awaitsTheOthers() {
        ControllerGroup group =
                ControllerGroup.named("group").with(loop("first", false)).with(loop("second", true));
        assertThat(group.awaitTermination(TIMEOUT)).isFalse();
        assertThat(calls).containsExactly("first awaited", "second awaited");
    }

    @Test
    void executor_acceptsTasksUntilTheLoopsHaveEnded() {
        ParallelExecutor executor = new ParallelExecutor("group", 1, Thread::new);
        CountDownLatch ran = new CountDownLatch(1);
        ControllerGroup group =
                ControllerGroup.named("group").with(loop("first", true)).with(executor);
        group.start(1);
        group.shutDown();
        executor.execute(ran::countDown);
        assertThat(group.awaitTermination(TIMEOUT)).isTrue();
        assertThat(ran.getCount()).isZero();
        assertThatThrownBy(() -> executor.execute(() -> {})).isInstanceOf(RejectedExecutionException.class);
    }
}
