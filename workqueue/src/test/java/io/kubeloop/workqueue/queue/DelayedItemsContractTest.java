/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.workqueue.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.kubeloop.runtime.Scheduler;
import io.kubeloop.runtime.testing.ManualScheduler;
import io.kubeloop.workqueue.DelayingQueue;
import io.kubeloop.workqueue.QueueOrder;
import io.kubeloop.workqueue.RateLimiters;
import io.kubeloop.workqueue.Threads;
import io.kubeloop.workqueue.WorkQueueConfig;
import io.kubeloop.workqueue.WorkQueues;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A delayed item is never lost or stuck, whatever an interrupt or the thread factory does. */
@Timeout(10)
class DelayedItemsContractTest {

    private static final Duration SOON = Duration.ofNanos(1);

    /** The two kinds of queue with delayed items. */
    enum Kind {
        PLAIN,
        PRIORITY;

        DelayingQueue<String> make(ThreadFactory threads) {
            WorkQueueConfig config = WorkQueueConfig.named("pods").withScheduler(Scheduler.system(threads));
            return this == PLAIN
                    ? WorkQueues.delaying(config)
                    : WorkQueues.priority(config, RateLimiters.defaultItemBased());
        }
    }

    private final Threads threads = new Threads();

    /** The due item has left the heap and is not in the queue yet when another thread shuts down. */
    @Test
    void shutDown_interruptedWhileADueItemMoves_leavesItInTheQueueOrInDropped_C2() {
        ManualScheduler clock = new ManualScheduler();
        KeyedWorkQueue<String> queue = KeyedWorkQueue.fifo(
                WorkQueueConfig.named("pods").withScheduler(clock), RateLimiters.defaultItemBased());
        queue.addAfter("a", Duration.ofSeconds(1));
        Thread mover = threads.newThread(() -> clock.advance(Duration.ofSeconds(1)));
        queue.lock.lock();
        try {
            mover.start();
            await().until(() -> queue.lock.hasQueuedThread(mover));
        } finally {
            queue.lock.unlock();
        }

        Thread.currentThread().interrupt();
        queue.shutDown();

        List<String> dropped = queue.dropped();
        int waiting = queue.length();
        assertThat(Thread.interrupted()).isTrue();
        assertThat(dropped.size() + waiting).as("items in the queue or dropped").isEqualTo(1);
    }

    /** An order may throw as memory that is short does: neither loses the item, nor holds up those behind it. */
    @Test
    void dueItem_thatTheQueueCannotTake_isTriedAgainLater_C2() throws Exception {
        ManualScheduler clock = new ManualScheduler();
        AtomicInteger pushes = new AtomicInteger();
        ArrayDeque<String> line = new ArrayDeque<>();
        QueueOrder<String> order = new QueueOrder<>() {
            @Override
            public void push(String item) {
                if (pushes.incrementAndGet() == 1) {
                    throw new OutOfMemoryError("scripted");
                }
                line.add(item);
            }

            @Override
            public int length() {
                return line.size();
            }

            @Override
            public String pop() {
                return line.remove();
            }
        };
        KeyedWorkQueue<String> queue = KeyedWorkQueue.ordered(
                WorkQueueConfig.named("pods").withScheduler(clock), RateLimiters.defaultItemBased(), order);
        queue.addAfter("a", Duration.ofSeconds(1));
        queue.addAfter("b", Duration.ofSeconds(1));

        assertThatThrownBy(() -> clock.advance(Duration.ofSeconds(1))).isInstanceOf(OutOfMemoryError.class);
        clock.advance(Duration.ZERO);

        assertThat(queue.get()).isEqualTo("b");
        assertThat(queue.delayed()).isEqualTo(1);
        clock.advance(Duration.ofSeconds(1));
        assertThat(queue.length()).isEqualTo(1);
        assertThat(queue.get()).isEqualTo("a");
        queue.shutDown();
        assertThat(queue.dropped()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void addAfter_whileTheFactoryFailsForAnotherCaller_startsTheThreadItself_C3(Kind kind) throws Exception {
        CountDownLatch inFactory = new CountDownLatch(1);
        CountDownLatch factoryGoesOn = new CountDownLatch(1);
        AtomicInteger calls = new AtomicInteger();
        DelayingQueue<String> queue = kind.make(action -> {
            if (calls.incrementAndGet() == 1) {
                inFactory.countDown();
                uninterruptibly(factoryGoesOn);
                throw new IllegalStateException("no more threads");
            }
            return threads.newThread(action);
        });
        FutureTask<?> first = new FutureTask<>(() -> queue.addAfter("a", SOON), null);
        threads.newThread(first).start();
        inFactory.await();
        FutureTask<?> second = threads.startAndAwaitBlocked(() -> {
            queue.addAfter("b", SOON);
            return null;
        });

        factoryGoesOn.countDown();

        assertThatThrownBy(first::get).hasRootCauseMessage("no more threads");
        second.get();
        assertThat(List.of(queue.get(), queue.get())).containsExactlyInAnyOrder("a", "b");
        queue.shutDown();
    }

    @ParameterizedTest
    @EnumSource
    void addAfter_whenTheFactoryThrows_namesTheThread_andTheNextGetStartsIt_C3(Kind kind) throws Exception {
        AtomicInteger calls = new AtomicInteger();
        DelayingQueue<String> queue = kind.make(action -> {
            if (calls.incrementAndGet() == 1) {
                throw new IllegalStateException("no more threads");
            }
            return threads.newThread(action);
        });

        assertThatIllegalStateException()
                .isThrownBy(() -> queue.addAfter("a", SOON))
                .withMessageContaining("Cannot start thread kubeloop-timer")
                .withRootCauseInstanceOf(IllegalStateException.class);

        assertThat(queue.get()).isEqualTo("a");
        queue.shutDown();
    }

    @ParameterizedTest
    @EnumSource
    void addAfter_withoutDelayAfterTheFactoryThrew_startsTheThread_C3(Kind kind) {
        AtomicInteger calls = new AtomicInteger();
        DelayingQueue<String> queue = kind.make(action -> {
            if (calls.incrementAndGet() == 1) {
                throw new IllegalStateException("no more threads");
            }
            return threads.newThread(action);
        });
        assertThatIllegalStateException().isThrownBy(() -> queue.addAfter("a", SOON));

        queue.addAfter("b", Duration.ZERO);

        assertThat(calls).as("calls of the thread factory").hasValue(2);
        queue.shutDown();
    }

    @ParameterizedTest
    @EnumSource
    void shutDown_afterTheFactoryThrew_reportsTheItem_C3(Kind kind) {
        DelayingQueue<String> queue = kind.make(action -> {
            throw new IllegalStateException("no more threads");
        });
        assertThatIllegalStateException().isThrownBy(() -> queue.addAfter("a", SOON));

        queue.shutDown();

        assertThat(queue.dropped()).containsExactly("a");
    }

    private static void uninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
