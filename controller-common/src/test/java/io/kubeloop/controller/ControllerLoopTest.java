/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.core.Pod;
import io.kubeloop.cache.CacheSyncTimeoutException;
import io.kubeloop.cache.Registration;
import io.kubeloop.cache.SharedInformer;
import io.kubeloop.cache.SharedInformers;
import io.kubeloop.json.JsonCodec;
import io.kubeloop.transport.memory.EmbeddedApiServer;
import io.kubeloop.workqueue.RateLimitingQueue;
import io.kubeloop.workqueue.WorkQueues;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ControllerLoopTest {

    /** A handler that has received its initial list once the test says so. */
    private static final class ManualRegistration implements Registration {

        private final CountDownLatch awaited = new CountDownLatch(1);
        private final CountDownLatch settled = new CountDownLatch(1);
        private volatile boolean synced;
        private volatile boolean closed;

        void sync() {
            synced = true;
            settled.countDown();
        }

        @Override
        public boolean hasSynced() {
            return synced;
        }

        @Override
        public int pending() {
            return 0;
        }

        @Override
        public void awaitSync(Duration timeout) throws InterruptedException {
            awaited.countDown();
            settled.await();
            if (!synced) {
                throw new CacheSyncTimeoutException("scripted: removed");
            }
        }

        @Override
        public boolean closeAndAwait(Duration timeout) {
            throw new UnsupportedOperationException("the loop does not wait for handlers");
        }

        @Override
        public void close() {
            closed = true;
            settled.countDown();
        }
    }

    private final List<Thread> threads = new CopyOnWriteArrayList<>();
    private final List<String> handled = new CopyOnWriteArrayList<>();
    private final ManualRegistration registration = new ManualRegistration();
    private final RateLimitingQueue<String> queue = WorkQueues.rateLimiting("tested");
    private final ControllerLoop<String> loop =
            new ControllerLoop<>("tested", queue, handled::add, List.of(registration), task -> {
                Thread thread = new Thread(task);
                threads.add(thread);
                return thread;
            });

    @AfterEach
    void close_always_leavesNoThread() {
        loop.close();
        assertThat(threads).as("I12").noneMatch(Thread::isAlive);
        assertThat(registration.closed).isTrue();
        assertThat(queue.isShuttingDown()).isTrue();
    }

    /**
     * Else a clock that counts queued items never becomes quiet again, such as that of a test after a change of the
     * leader.
     */
    @Test
    void awaitTermination_beforeTheWorkersStart_leavesNoItemInTheQueue() {
        queue.add("a");
        queue.add("b");
        loop.start(1);
        loop.shutDown();

        assertThat(loop.awaitTermination(Duration.ofSeconds(20))).isTrue();
        assertThat(queue.length()).isZero();
        assertThat(handled).isEmpty();
    }

    @Test
    void start_handlersHaveNotHeardOfEverything_waits() throws InterruptedException {
        queue.add("a");
        loop.start(2);
        registration.awaited.await();
        assertThat(handled).isEmpty();
        registration.sync();
        await().until(() -> handled.equals(List.of("a")));
    }

    @Test
    void shutDown_whileWaitingForTheCaches_endsWithoutWork() throws InterruptedException {
        queue.add("a");
        loop.start(1);
        registration.awaited.await();
        loop.shutDown();
        assertThat(loop.awaitTermination(Duration.ofSeconds(10))).isTrue();
        assertThat(handled).isEmpty();
    }

    @Test
    void start_handlerIsRemovedByOthersBeforeItHasHeardOfEverything_endsWithoutWork() throws InterruptedException {
        queue.add("a");
        loop.start(1);
        registration.close();
        for (Thread starter : threads) {
            starter.join();
        }
        assertThat(threads).hasSize(1);
        assertThat(handled).isEmpty();
    }

    /** A loop that reads the pods, and has no handler of them. */
    private ControllerLoop<String> reading(SharedInformer<Pod> pods) {
        return new ControllerLoop<>("reading", queue, handled::add, List.of(registration), List.of(pods), task -> {
            Thread thread = new Thread(task);
            threads.add(thread);
            return thread;
        });
    }

    private static SharedInformer<Pod> pods(EmbeddedApiServer server) {
        KubeClient client = KubeClient.of(server.transport(), JsonCodec.standard());
        return SharedInformers.factory(client).informer(ResourceTypes.PODS);
    }

    @Test
    void start_cacheWithoutAHandlerIsNotFilled_waits() {
        registration.sync();
        queue.add("a");
        try (EmbeddedApiServer server = EmbeddedApiServer.builder().build();
                SharedInformer<Pod> pods = pods(server);
                ControllerLoop<String> reading = reading(pods)) {
            reading.start(1);
            await().until(() -> threads.get(0).getState() == Thread.State.TIMED_WAITING
                    || threads.get(0).getState() == Thread.State.WAITING);
            assertThat(handled).isEmpty();
            pods.start();
            await().until(() -> handled.equals(List.of("a")));
        }
    }

    @Test
    void shutDown_whileWaitingForACacheWithoutAHandler_endsWithoutWork() {
        registration.sync();
        queue.add("a");
        try (EmbeddedApiServer server = EmbeddedApiServer.builder().build();
                SharedInformer<Pod> pods = pods(server);
                ControllerLoop<String> reading = reading(pods)) {
            reading.start(1);
            reading.shutDown();
            assertThat(reading.awaitTermination(Duration.ofSeconds(10))).isTrue();
            assertThat(threads).hasSize(1).noneMatch(Thread::isAlive);
            assertThat(handled).isEmpty();
        }
    }

    @Test
    void start_informerIsClosedBeforeItIsFilled_endsWithoutWork() throws InterruptedException {
        registration.sync();
        queue.add("a");
        try (EmbeddedApiServer server = EmbeddedApiServer.builder().build()) {
            SharedInformer<Pod> pods = pods(server);
            ControllerLoop<String> reading = reading(pods);
            reading.start(1);
            pods.close();
            threads.get(0).join();
            assertThat(threads).hasSize(1);
            assertThat(handled).isEmpty();
            reading.close();
        }
    }

    @Test
    void shutDown_keysWait_areProcessedFirst() {
        registration.sync();
        queue.add("a");
        queue.add("b");
        loop.start(1);
        await().until(() -> !handled.isEmpty());
        loop.shutDown();
        assertThat(loop.awaitTermination(Duration.ofSeconds(10))).isTrue();
        assertThat(handled).containsExactly("a", "b");
    }

    @Test
    void start_secondTimeOrAfterShutDown_isRefused() {
        loop.start(1);
        assertThatThrownBy(() -> loop.start(1))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("tested");
        loop.shutDown();
        assertThatThrownBy(() -> loop.start(1)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void start_noWorkers_isRefused() {
        assertThatThrownBy(() -> loop.start(0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("got 0");
    }

    @Test
    void awaitTermination_neverStarted_returnsAtOnce() {
        loop.shutDown();
        assertThat(loop.awaitTermination(Duration.ofSeconds(10))).isTrue();
    }

    @Test
    void awaitTermination_withoutEndOfPatience_waitsForTheEnd() {
        registration.sync();
        loop.start(1);
        loop.shutDown();
        assertThat(loop.awaitTermination(ChronoUnit.FOREVER.getDuration())).isTrue();
    }

    @Test
    void start_whileThreadsAreMade_noLockIsHeld_I13() throws InterruptedException {
        AtomicReference<ControllerLoop<String>> made = new AtomicReference<>();
        AtomicInteger threadsMade = new AtomicInteger();
        AtomicBoolean isShutDown = new AtomicBoolean();
        ControllerLoop<String> other =
                new ControllerLoop<>("other", queue, handled::add, List.of(registration), task -> {
                    if (threadsMade.incrementAndGet() == 2) { // the first is the starter, the second a worker
                        isShutDown.set(endsInTime(() -> made.get().shutDown()));
                    }
                    Thread thread = new Thread(task);
                    threads.add(thread);
                    return thread;
                });
        made.set(other);
        registration.sync();
        other.start(1);
        await().until(() -> threadsMade.get() == 2);
        assertThat(other.awaitTermination(Duration.ofSeconds(30))).isTrue();
        assertThat(isShutDown).isTrue();
    }

    private static boolean endsInTime(Runnable action) {
        Thread thread = new Thread(action);
        thread.start();
        try {
            thread.join(5_000);
            return !thread.isAlive();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
