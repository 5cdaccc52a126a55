/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class SerialReconcilerTest {

    private final AtomicInteger value = new AtomicInteger();
    private final AtomicInteger runs = new AtomicInteger();

    /** What the last computation has read; a request returns when this contains its write. */
    private volatile int seen;

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException("nothing interrupts this test", e);
        }
    }

    private static void awaitWaiting(Thread thread) {
        while (thread.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }
    }

    @Test
    void requestOfTheComputationItself_runsItAgain() {
        AtomicReference<SerialReconciler> self = new AtomicReference<>();
        SerialReconciler reconciler = new SerialReconciler(() -> {
            seen = value.get();
            if (runs.incrementAndGet() < 3) {
                value.incrementAndGet();
                self.get().reconcile();
            }
        });
        self.set(reconciler);
        reconciler.reconcile();

        assertThat(runs).hasValue(3);
        assertThat(seen).isEqualTo(2);
    }

    @Test
    void requestDuringAComputation_returnsAfterOneThatBeganBehindIt() throws InterruptedException {
        CountDownLatch hasRead = new CountDownLatch(1);
        CountDownLatch mayEnd = new CountDownLatch(1);
        SerialReconciler reconciler = new SerialReconciler(() -> {
            int read = value.get();
            if (runs.incrementAndGet() == 1) {
                hasRead.countDown();
                await(mayEnd);
            }
            seen = read;
        });
        Thread first = new Thread(reconciler::reconcile);
        first.start();
        await(hasRead);
        AtomicInteger seenBySecond = new AtomicInteger();
        Thread second = new Thread(() -> {
            value.set(7);
            reconciler.reconcile();
            seenBySecond.set(seen);
        });
        second.start();
        awaitWaiting(second);
        assertThat(runs).as("one computation at a time").hasValue(1);
        mayEnd.countDown();
        first.join();
        second.join();

        assertThat(seenBySecond).hasValue(7);
        assertThat(runs).hasValue(2);
    }

    @Test
    void computationThatFails_passesTheTurnToTheNextRequest() throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch mayFail = new CountDownLatch(1);
        SerialReconciler reconciler = new SerialReconciler(() -> {
            if (runs.incrementAndGet() == 1) {
                begun.countDown();
                await(mayFail);
                throw new IllegalStateException("broken");
            }
            seen = value.get();
        });
        AtomicReference<Throwable> failure = new AtomicReference<>();
        Thread first = new Thread(reconciler::reconcile);
        first.setUncaughtExceptionHandler((thread, thrown) -> failure.set(thrown));
        first.start();
        await(begun);
        Thread second = new Thread(() -> {
            value.set(5);
            reconciler.reconcile();
        });
        second.start();
        awaitWaiting(second);
        mayFail.countDown();
        first.join();
        second.join();

        assertThat(failure.get()).hasMessage("broken");
        assertThat(seen).isEqualTo(5);
        assertThatThrownBy(() -> new SerialReconciler(() -> {
                            throw new IllegalStateException("again");
                        })
                        .reconcile())
                .hasMessage("again");
    }
}
