/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
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

        /** Notes a wait and a wake-up, as a scheduler that counts the waiting threads does. */
        @Override
        public Condition newCondition(Lock lock) {
            Condition condition = lock.newCondition();
            return (Condition) Proxy.newProxyInstance(
                    Condition.class.getClassLoader(), new Class<?>[] {Condition.class}, (proxy, method, arguments) -> {
                        calls.add(method.getName());
                        if (method.getName().equals("await")) {
                            clock.start();
                        }
                        return method.invoke(condition, arguments);
                    });
        }

        @Override
        public void close() {}
    }

    private final NotingScheduler scheduler = new NotingScheduler();
    private final OneShotLatch latch = new OneShotLatch();

    @Test
    void await_schedulesItsEndBeforeItWaits_andIsSignaledBeforeItsTaskEnds() throws InterruptedException {
        assertThat(new OneShotLatch(scheduler).await(scheduler, Duration.ofSeconds(5)))
                .isFalse();

        scheduler.clock.join();
        assertThat(scheduler.calls)
                .startsWith("schedule PT5S", "await", "signalAll")
                .containsOnlyOnce("task ended", "cancel")
                .hasSize(5);
    }

    @Test
    void await_onAPlainLatch_countsNothing() throws InterruptedException {
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

        assertThat(latch.await(scheduler, Duration.ofSeconds(5))).isTrue();
        assertThat(scheduler.calls).isEmpty();
    }
}
