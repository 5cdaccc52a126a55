/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

class OwnedThreadsTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private final OwnedThreads threads = new OwnedThreads(OwnedThreads.daemons());

    private static void awaitIgnoringInterrupts(CountDownLatch latch) {
        while (latch.getCount() > 0) {
            Thread.interrupted();
            LockSupport.parkNanos(1_000_000);
        }
    }

    @Test
    void await_findsThreadsThatThreadsStartMeanwhile() {
        CountDownLatch ended = new CountDownLatch(3);
        threads.start("first", () -> {
            threads.start("second", () -> {
                threads.start("third", ended::countDown);
                ended.countDown();
            });
            ended.countDown();
        });
        assertThat(threads.await(TIMEOUT)).isTrue();
        assertThat(ended.getCount()).isZero();
        assertThat(threads.haveEnded()).isTrue();
    }

    @Test
    void await_waitsForTheThreadsOfAPool() {
        ExecutorService pool = Executors.newFixedThreadPool(2, threads);
        CompletableFuture<Thread> worker = CompletableFuture.supplyAsync(Thread::currentThread, pool);
        assertThat(threads.contains(worker.join())).isTrue();
        pool.shutdown();
        assertThat(threads.await(TIMEOUT)).isTrue();
        assertThat(worker.join().isAlive()).isFalse();
    }

    @Test
    void await_reportsThreadsThatAreLeftBehind() {
        CountDownLatch release = new CountDownLatch(1);
        List<String> left = new ArrayList<>();
        threads.start("busy", () -> awaitIgnoringInterrupts(release));
        assertThat(threads.await(Duration.ZERO, thread -> left.add(thread.getName())))
                .isFalse();
        assertThat(left).containsExactly("busy-1");
        release.countDown();
        assertThat(threads.await(TIMEOUT)).isTrue();
    }

    @Test
    void await_ofAbandonedThread_isShort() {
        CountDownLatch release = new CountDownLatch(1);
        Thread stubborn = threads.newThread(() -> awaitIgnoringInterrupts(release));
        stubborn.start();
        threads.abandon(stubborn);
        assertThat(threads.await(Duration.ofDays(1))).isFalse();
        release.countDown();
    }

    @Test
    void await_onOwnThread_waitsForTheOthers() {
        CompletableFuture<Boolean> othersEnded = new CompletableFuture<>();
        CountDownLatch release = new CountDownLatch(1);
        threads.start("other", () -> awaitIgnoringInterrupts(release));
        threads.start("closing", () -> {
            release.countDown();
            othersEnded.complete(threads.await(TIMEOUT));
        });
        assertThat(othersEnded.join()).isTrue();
    }

    @Test
    void await_onThreadOfTheFamily_returnsAtOnce() {
        Set<Thread> family = OwnedThreads.newFamily();
        OwnedThreads one = new OwnedThreads(OwnedThreads.daemons(), family);
        OwnedThreads other = new OwnedThreads(OwnedThreads.daemons(), family);
        CountDownLatch release = new CountDownLatch(1);
        CompletableFuture<Boolean> ended = new CompletableFuture<>();
        one.start("busy", () -> awaitIgnoringInterrupts(release));
        other.start("closing", () -> ended.complete(one.await(Duration.ofDays(1))));
        assertThat(ended.join()).isFalse();
        release.countDown();
        assertThat(one.await(TIMEOUT)).isTrue();
    }

    @Test
    void await_endsWithAnInterrupt() {
        CountDownLatch release = new CountDownLatch(1);
        threads.start("busy", () -> awaitIgnoringInterrupts(release));
        Thread.currentThread().interrupt();
        assertThat(threads.await(Duration.ofDays(1))).isFalse();
        assertThat(Thread.interrupted()).isTrue();
        release.countDown();
    }

    @Test
    void start_thatFails_leavesNothingToWaitFor() {
        OwnedThreads failing = new OwnedThreads(body -> new Thread(body) {
            @Override
            public synchronized void start() {
                throw new OutOfMemoryError("unable to create a thread");
            }
        });
        assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(() -> failing.start("test", () -> {}));
        assertThat(failing.await(TIMEOUT)).isTrue();
    }
}
