/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.workqueue.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.kubeloop.workqueue.RateLimiters;
import io.kubeloop.workqueue.Threads;
import io.kubeloop.workqueue.WorkQueue;
import io.kubeloop.workqueue.WorkQueueConfig;
import io.kubeloop.workqueue.WorkQueues;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(10)
class KeyedWorkQueueTest {

    private final Threads threads = new Threads();
    private final WorkQueue<String> queue = WorkQueues.fifo(WorkQueueConfig.named("test"));

    @Test
    void add_null_isRefused() {
        assertThatNullPointerException().isThrownBy(() -> queue.add(null));
    }

    @Test
    void name_isTheOneGiven() {
        assertThat(queue.name()).isEqualTo("test");
    }

    @Test
    void get_onEmptyQueue_waitsForAdd_WQ04() throws Exception {
        FutureTask<String> worker = threads.startAndAwaitBlocked(queue::get);

        queue.add("a");

        assertThat(worker.get()).isEqualTo("a");
    }

    @Test
    void get_interruptedWhileWaiting_throwsAndLosesNothing() throws Exception {
        FutureTask<String> worker = threads.startAndAwaitBlocked(queue::get);

        threads.made().get(0).interrupt();

        assertThatThrownBy(worker::get)
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(InterruptedException.class);
        queue.add("a");
        assertThat(queue.get()).isEqualTo("a");
    }

    @Test
    void add_whileSeveralWait_reachesOneOfThem_WQ12() throws Exception {
        List<FutureTask<String>> workers =
                List.of(threads.startAndAwaitBlocked(queue::get), threads.startAndAwaitBlocked(queue::get));

        queue.add("a");
        await().until(() -> workers.stream().anyMatch(FutureTask::isDone));

        assertThat(workers.stream().filter(FutureTask::isDone)).hasSize(1);
        assertThat(queue.length()).isZero();
        queue.add("b");
        assertThat(List.of(workers.get(0).get(), workers.get(1).get())).containsExactlyInAnyOrder("a", "b");
    }

    @Test
    void add_whileProcessing_goesToNoOtherWorkerBeforeDone_WQ03() throws Exception {
        queue.add("a");
        queue.get();
        FutureTask<String> other = threads.startAndAwaitBlocked(queue::get);

        queue.add("a");
        queue.add("a");

        assertThat(queue.length()).isZero();
        assertThat(other.isDone()).isFalse();
        queue.done("a");
        assertThat(other.get()).isEqualTo("a");
    }

    @Test
    void length_countsOnlyWhatWaits_WQ07() throws Exception {
        queue.add("a");
        queue.add("b");
        queue.get();
        queue.add("a");

        assertThat(queue.length()).isEqualTo(1);
    }

    @Test
    void shutDown_wakesAllWorkers_WQ08() throws Exception {
        List<FutureTask<String>> workers =
                List.of(threads.startAndAwaitBlocked(queue::get), threads.startAndAwaitBlocked(queue::get));

        queue.shutDown();

        for (FutureTask<String> worker : workers) {
            assertThat(worker.get()).isNull();
        }
    }

    @Test
    void shutDownWithDrain_ofAnIdleQueue_returnsAtOnce_WQ09() throws Exception {
        queue.shutDownWithDrain();

        assertThat(queue.isShuttingDown()).isTrue();
        assertThat(queue.get()).isNull();
    }

    @Test
    void shutDownWithDrain_waitsForWhatIsProcessed_WQ09() throws Exception {
        queue.add("a");
        queue.add("b");
        queue.get();
        queue.get();
        FutureTask<Void> drain = drain();

        queue.done("a");
        assertThat(drain.isDone()).isFalse();
        queue.done("b");

        drain.get();
    }

    /** client-go queues the item a second time, and hands it to two workers. */
    @Test
    void done_ofAnItemThatWaits_hasNoEffect_WQ06() throws Exception {
        queue.add("a");
        queue.done("a");
        assertThat(queue.length()).isEqualTo(1);
        assertThat(queue.get()).isEqualTo("a");

        FutureTask<String> other = threads.startAndAwaitBlocked(queue::get);
        assertThat(other.isDone()).isFalse();
        queue.done("a");
        queue.done("a");
        queue.add("b");

        assertThat(other.get()).isEqualTo("b");
        queue.done("b");
        queue.shutDownWithDrain();
    }

    @Test
    void done_twiceOfAnItemThatWasAddedAgain_leavesItInTheLineOnce_WQ06() throws Exception {
        queue.add("a");
        queue.get();
        queue.add("a");

        queue.done("a");
        queue.done("a");

        assertThat(queue.length()).isEqualTo(1);
        assertThat(queue.get()).isEqualTo("a");
        assertThat(queue.length()).isZero();
    }

    @Test
    void shutDownWithDrain_waitsForWhatWasAddedAgain_WQ09() throws Exception {
        queue.add("a");
        queue.get();
        queue.add("a");
        FutureTask<Void> drain = drain();

        queue.done("a");
        assertThat(drain.isDone()).isFalse();
        assertThat(queue.get()).isEqualTo("a");
        queue.done("a");

        drain.get();
        assertThat(queue.get()).isNull();
    }

    @Test
    void shutDownWithDrain_waitsForWhatNobodyTookYet() throws Exception {
        queue.add("a");
        FutureTask<Void> drain = drain();

        assertThat(queue.get()).isEqualTo("a");
        assertThat(drain.isDone()).isFalse();
        queue.done("a");

        drain.get();
    }

    @Test
    void shutDownWithDrain_isEndedByShutDown_WQ09() throws Exception {
        queue.add("a");
        queue.get();
        FutureTask<Void> drain = drain();

        queue.shutDown();

        drain.get();
    }

    @Test
    void shutDownWithDrain_isEndedByShutDown_alsoIfAnotherDrainFollowsAtOnce_WQ09() throws Exception {
        KeyedWorkQueue<String> both =
                KeyedWorkQueue.fifo(WorkQueueConfig.named("test"), RateLimiters.defaultItemBased());
        both.add("a");
        FutureTask<Void> first = threads.startAndAwaitBlocked(() -> {
            both.shutDownWithDrain();
            return null;
        });
        both.lock.lock();
        try {
            FutureTask<Void> hard = threads.startAndAwaitBlocked(() -> {
                both.shutDown();
                return null;
            });
            FutureTask<Void> second = threads.startAndAwaitBlocked(() -> {
                both.shutDownWithDrain();
                return null;
            });
            assertThat(hard.isDone() || second.isDone()).isFalse();
        } finally {
            both.lock.unlock();
        }

        first.get();
    }

    @Test
    void shutDownWithDrain_interrupted_throwsAndStaysShutDown() {
        queue.add("a");
        FutureTask<Void> drain = drain();

        threads.made().get(0).interrupt();

        assertThatThrownBy(drain::get).hasCauseInstanceOf(InterruptedException.class);
        assertThat(queue.isShuttingDown()).isTrue();
    }

    @Test
    void shutDownWithDrain_interruptedBefore_shutsDownAllTheSame() {
        queue.add("a");
        Thread.currentThread().interrupt();

        assertThatThrownBy(queue::shutDownWithDrain).isInstanceOf(InterruptedException.class);

        assertThat(queue.isShuttingDown()).isTrue();
    }

    private FutureTask<Void> drain() {
        return threads.startAndAwaitBlocked(() -> {
            queue.shutDownWithDrain();
            return null;
        });
    }
}
