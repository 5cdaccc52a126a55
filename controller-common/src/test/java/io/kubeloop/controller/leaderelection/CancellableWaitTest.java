/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.leaderelection;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.runtime.Scheduler;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class CancellableWaitTest {

    /** A user's scheduler that waits for a concurrent cancel before it returns. */
    private static final class AskingScheduler implements Scheduler {

        private final AtomicInteger settings = new AtomicInteger();
        private Runnable cancel = () -> {};

        @Override
        public Instant now() {
            return Instant.EPOCH;
        }

        @Override
        public long nanoTime() {
            return 0;
        }

        @Override
        public Task scheduleAt(long nanoTime, Runnable task) {
            settings.incrementAndGet();
            task.run(); // too early
            CompletableFuture.runAsync(cancel).join();
            return () -> {};
        }

        @Override
        public void close() {}
    }

    @Test
    @Timeout(value = 20, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void awaitUntil_callsTheScheduler_withoutItsLock_I13() {
        AskingScheduler scheduler = new AskingScheduler();
        CancellableWait wait = new CancellableWait(scheduler);
        scheduler.cancel = wait::cancel;

        assertThat(wait.awaitUntil(1)).isFalse();

        assertThat(scheduler.settings).hasValue(1);
    }
}
