package io.kubeloop.controller.leaderelection;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.workqueue.AlarmClock;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class CancellableWaitTest {

    /** A user's clock that waits for a concurrent cancel while its alarm is set, and rings at once, too early. */
    private static final class AskingClock implements AlarmClock {

        private final AtomicInteger settings = new AtomicInteger();
        private final AtomicInteger cancelAt = new AtomicInteger();
        private Runnable cancel = () -> {};

        @Override
        public long nanoTime() {
            return 0;
        }

        @Override
        public Alarm newAlarm(String name, Runnable action) {
            return new Alarm() {
                @Override
                public void ringAt(long nanoTime) {
                    if (settings.incrementAndGet() == cancelAt.get()) {
                        CompletableFuture.runAsync(cancel).join();
                    } else {
                        action.run();
                    }
                }

                @Override
                public void close() {}
            };
        }
    }

    @Test
    @Timeout(value = 20, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void awaitUntil_asksTheClock_withoutItsLock_I13() {
        AskingClock clock = new AskingClock();
        CancellableWait wait = new CancellableWait(clock, "timer");
        clock.cancel = wait::cancel;
        clock.cancelAt.set(2);

        assertThat(wait.awaitUntil(1)).isFalse();

        assertThat(clock.settings).hasValue(2);
    }
}
