/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

class OneShotLatchTest {

    /**
     * Notes the calls in their order. When the waiting thread is idle, the task runs on a thread, as that of a clock
     * that then moves.
     */
    private static final class NotingScheduler implements Scheduler {

        private final List<String> calls = new CopyOnWriteArrayList<>();
        private Thread clock = new Thread();

        @Override
        public Instant now() {
            return Instant.EPOCH;
        }

        @Override
        public long nanoTime() {
            return 0;
        }

        @Override
        public Task scheduleAt(long nanoTime, Runnable body) {
            calls.add("schedule " + Duration.ofNanos(nanoTime));
            clock = new Thread(() -> {
                body.run();
                calls.add("task ended");
            });
            return () -> calls.add("cancel");
        }

        @Override
        public void workBegins() {
            calls.add("busy");
        }

        @Override
        public void workEnds() {
            calls.add("idle");
            clock.start();
        }

        @Override
        public void close() {}
    }

    private final NotingScheduler scheduler = new NotingScheduler();
    private final OneShotLatch latch = new OneShotLatch();

    @Test
    void awaitIdle_schedulesItsEndBeforeItIsIdle_andIsBusyBeforeItsTaskEnds() throws InterruptedException {
        assertThat(latch.awaitIdle(scheduler, Duration.ofSeconds(5))).isFalse();

        scheduler.clock.join();
        assertThat(scheduler.calls)
                .startsWith("schedule PT5S", "idle", "busy")
                .containsOnlyOnce("task ended", "cancel")
                .hasSize(5);
    }

    @Test
    void await_countsNothing() throws InterruptedException {
        Thread waiting = Thread.currentThread();
        Thread firing = new Thread(() -> {
            while (waiting.getState() != Thread.State.WAITING) {
                Thread.onSpinWait();
            }
            latch.release();
        });
        firing.start();

        assertThat(latch.await(scheduler, Duration.ofSeconds(5))).isTrue();
        firing.join();

        assertThat(scheduler.calls).containsExactly("schedule PT5S", "cancel");
    }

    @Test
    void aFiredSignal_needsNoTimer() throws InterruptedException {
        latch.release();

        assertThat(latch.awaitIdle(scheduler, Duration.ofSeconds(5))).isTrue();
        assertThat(scheduler.calls).isEmpty();
    }
}
