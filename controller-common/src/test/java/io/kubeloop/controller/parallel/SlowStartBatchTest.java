/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.parallel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kubeloop.testing.Vectors;
import java.math.BigDecimal;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

class SlowStartBatchTest {

    @TestFactory
    @SuppressWarnings("unchecked")
    Stream<DynamicTest> vectors() {
        return Vectors.tests(getClass(), "slow-start-batch", vector -> {
            int count = ((BigDecimal) vector.input().get("count")).intValueExact();
            int initial = ((BigDecimal) vector.input().get("initialBatchSize")).intValueExact();
            List<BigDecimal> failAt = (List<BigDecimal>) vector.input().getOrDefault("failAt", List.of());
            AtomicInteger calls = new AtomicInteger();

            ParallelCalls.Result result = SlowStartBatch.run(count, initial, Runnable::run, () -> {
                if (failAt.contains(BigDecimal.valueOf(calls.incrementAndGet()))) {
                    throw new IllegalStateException("scripted");
                }
            });

            assertThat(calls).hasValue(((BigDecimal) vector.expected().get("calls")).intValueExact());
            assertThat(result.successes())
                    .isEqualTo(((BigDecimal) vector.expected().get("successes")).intValueExact());
            assertThat(result.error() == null).isEqualTo(vector.expected().get("error") == null);
        });
    }

    @Test
    void run_batchOfFour_makesItsCallsSideBySide() throws InterruptedException {
        ExecutorService executor = Executors.newCachedThreadPool();
        try {
            CyclicBarrier allFour = new CyclicBarrier(4);
            ParallelCalls.Result result = SlowStartBatch.run(4, 4, executor, () -> {
                try {
                    allFour.await(10, TimeUnit.SECONDS);
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
            });
            assertThat(result).isEqualTo(new ParallelCalls.Result(4, null));
        } finally {
            executor.shutdownNow();
            assertThat(executor.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void run_executorRejects_callerMakesTheCalls() {
        AtomicInteger calls = new AtomicInteger();
        ParallelCalls.Result result = SlowStartBatch.run(
                7,
                1,
                task -> {
                    throw new RejectedExecutionException("shut down");
                },
                calls::incrementAndGet);
        assertThat(result).isEqualTo(new ParallelCalls.Result(7, null));
        assertThat(calls).hasValue(7);
    }

    @Test
    void run_interruptedWhileWaiting_countsEveryCallAndKeepsTheFlag() {
        Thread.currentThread().interrupt();
        ParallelCalls.Result result = SlowStartBatch.run(3, 1, Runnable::run, () -> {});
        assertThat(Thread.interrupted()).isTrue();
        assertThat(result.successes()).isEqualTo(3);
    }

    @Test
    void run_callThrowsAnError_throwsItOnAfterTheBatch() {
        assertThatThrownBy(() -> SlowStartBatch.run(1, 1, Runnable::run, () -> {
                    throw new StackOverflowError("scripted");
                }))
                .isInstanceOf(StackOverflowError.class);
    }

    @Test
    void run_initialBatchSizeZero_isRefused() {
        assertThatThrownBy(() -> SlowStartBatch.run(1, 0, Runnable::run, () -> {}))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("got 0");
    }
}
