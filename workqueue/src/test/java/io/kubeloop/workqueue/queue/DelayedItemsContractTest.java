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
import io.kubeloop.workqueue.WrappedScheduler;
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
            return make(Scheduler.system(threads));
        }

        DelayingQueue<String> make(Scheduler scheduler) {
            WorkQueueConfig config = WorkQueueConfig.named("pods").withScheduler(scheduler);
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

    @Test
    void dueItem_thatTheOrderRefuses_leavesTheQueue_andThoseBehindItBecomeReady() throws Exception {
        ManualScheduler clock = new ManualScheduler();
        ArrayDeque<String> line = new ArrayDeque<>();
        QueueOrder<String> order = new QueueOrder<>() {
            @Override
            public void push(String item) {
                if (item.equals("refused")) {
                    throw new IllegalArgumentException("scripted");
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
        queue.addAfter("refused", Duration.ofSeconds(1));
        queue.addAfter("b", Duration.ofSeconds(1));

        assertThatThrownBy(() -> clock.advance(Duration.ofSeconds(1))).hasMessage("scripted");
        clock.advance(Duration.ZERO);

        assertThat(queue.delayed()).isZero();
        assertThat(queue.get()).isEqualTo("b");
        queue.done("b");
        queue.shutDownWithDrain();
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
        FutureTask<?> first = new FutureTask<>(() -> queue.addAfter("a", Duration.ofHours(1)), null);
        threads.newThread(first).start();
        inFactory.await();
        FutureTask<?> second = threads.startAndAwaitBlocked(() -> {
            queue.addAfter("b", SOON);
            return null;
        });

        factoryGoesOn.countDown();

        assertThatThrownBy(first::get).hasRootCauseMessage("no more threads");
        second.get();
        assertThat(queue.get()).isEqualTo("b");
        assertThat(queue.delayed()).isZero();
        queue.shutDown();
    }

    @ParameterizedTest
    @EnumSource
    void addAfter_whenTheFactoryThrows_namesTheThread_andTakesTheItemBack_C3(Kind kind) throws Exception {
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
        assertThat(queue.delayed()).isZero();

        queue.addAfter("b", SOON);
        assertThat(queue.get()).isEqualTo("b");
        queue.done("b");
        queue.shutDownWithDrain();
    }

    /** A call that returned normally keeps its promise, whatever happens to a later one for the same item. */
    @ParameterizedTest
    @EnumSource
    void addAfter_thatCannotSetAnEarlierAlarm_keepsTheItemOfTheCallBefore(Kind kind) {
        ManualScheduler clock = new ManualScheduler();
        AtomicInteger calls = new AtomicInteger();
        Scheduler failing = new WrappedScheduler(clock, () -> {
            if (calls.incrementAndGet() == 2) {
                throw new IllegalStateException("scripted");
            }
        });
        DelayingQueue<String> queue = kind.make(failing);
        queue.addAfter("a", Duration.ofSeconds(2));

        assertThatIllegalStateException().isThrownBy(() -> queue.addAfter("a", Duration.ofSeconds(1)));

        assertThat(queue.delayed()).isEqualTo(1);
        clock.advance(Duration.ofSeconds(2));
        assertThat(queue.length()).isEqualTo(1);
    }

    private static void uninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
