/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.workqueue;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.runtime.Scheduler;
import io.kubeloop.runtime.testing.ManualScheduler;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(10)
class DelayingQueueTest {

    private final ManualScheduler clock = new ManualScheduler();
    private final DelayingQueue<String> queue =
            WorkQueues.delaying(WorkQueueConfig.named("test").withScheduler(clock));

    @Test
    void addAfter_isCountedAsDelayedUntilItIsDue() {
        queue.addAfter("a", Duration.ofSeconds(1));

        assertThat(queue.delayed()).isEqualTo(1);
        clock.advance(Duration.ofSeconds(1));
        assertThat(queue.delayed()).isZero();
        assertThat(queue.length()).isEqualTo(1);
    }

    @Test
    void addAfter_withAnEarlierTimeForAnotherItem_wakesInTime_DQ04() {
        queue.addAfter("late", Duration.ofSeconds(10));
        queue.addAfter("early", Duration.ofSeconds(1));

        clock.advance(Duration.ofSeconds(1));
        assertThat(queue.length()).isEqualTo(1);
        clock.advance(Duration.ofSeconds(9));
        assertThat(queue.length()).isEqualTo(2);
    }

    /** Who is first may be held up between the heap and the alarm; found by DelayingQueueLincheckTest. */
    @Test
    void addAfter_whileWhoeverIsFirstHasNotSetTheAlarm_setsItForHim_DQ01_DQ04() throws Exception {
        CountDownLatch firstIsAtTheAlarm = new CountDownLatch(1);
        CountDownLatch firstGoesOn = new CountDownLatch(1);
        Runnable hold = () -> {
            if (Thread.currentThread().getName().equals("first")) {
                firstIsAtTheAlarm.countDown();
                awaitQuietly(firstGoesOn);
            }
        };
        Scheduler heldUp = new WrappedScheduler(clock, hold);
        DelayingQueue<String> delaying =
                WorkQueues.delaying(WorkQueueConfig.named("test").withScheduler(heldUp));
        Thread first = new Thread(() -> delaying.addAfter("a", Duration.ofSeconds(1)), "first");
        first.start();
        firstIsAtTheAlarm.await();

        delaying.addAfter("a", Duration.ofSeconds(1));
        delaying.addAfter("b", Duration.ofSeconds(2));
        clock.advance(Duration.ofSeconds(1));
        assertThat(delaying.length()).isEqualTo(1);
        clock.advance(Duration.ofSeconds(1));
        assertThat(delaying.length()).isEqualTo(2);

        firstGoesOn.countDown();
        first.join();
        delaying.shutDown();
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void addAfter_withTheLongestDuration_waits() {
        queue.addAfter("a", Duration.ofSeconds(Long.MAX_VALUE));

        clock.advance(Duration.ofDays(365));

        assertThat(queue.length()).isZero();
        assertThat(queue.delayed()).isEqualTo(1);
    }

    @Test
    void addAfter_ofEqualTimes_keepsTheOrderOfTheCalls_DQ06() throws Exception {
        List<String> items = List.of("a", "b", "c", "d", "e");
        items.forEach(item -> queue.addAfter(item, Duration.ofSeconds(1)));

        clock.advance(Duration.ofSeconds(1));

        for (String item : items) {
            assertThat(queue.get()).isEqualTo(item);
        }
    }

    @Test
    void addAfter_again_movesTheItemToTheEarlierTimeOnly_DQ02() throws Exception {
        queue.addAfter("a", Duration.ofSeconds(3));
        queue.addAfter("b", Duration.ofSeconds(2));
        queue.addAfter("a", Duration.ofSeconds(1));
        queue.addAfter("b", Duration.ofSeconds(9));

        clock.advance(Duration.ofSeconds(1));
        assertThat(queue.get()).isEqualTo("a");
        clock.advance(Duration.ofSeconds(1));
        assertThat(queue.get()).isEqualTo("b");
        assertThat(queue.delayed()).isZero();
    }

    /** The time of a scheduler has an arbitrary origin, and may overflow. */
    @Test
    void addAfter_acrossTheOverflowOfTheClock_staysInOrder() throws Exception {
        AtomicLong now = new AtomicLong(Long.MAX_VALUE - 10);
        AtomicReference<Runnable> last = new AtomicReference<>();
        Scheduler overflowing = new Scheduler() {
            @Override
            public Instant now() {
                return Instant.EPOCH;
            }

            @Override
            public long nanoTime() {
                return now.get();
            }

            @Override
            public Task scheduleAt(long nanoTime, Runnable task) {
                last.set(task);
                return () -> {};
            }

            @Override
            public void close() {}
        };
        DelayingQueue<String> old =
                WorkQueues.delaying(WorkQueueConfig.named("old").withScheduler(overflowing));
        old.addAfter("late", Duration.ofNanos(20));
        old.addAfter("early", Duration.ofNanos(5));

        now.addAndGet(5);
        last.get().run();
        assertThat(old.length()).isEqualTo(1);
        assertThat(old.get()).isEqualTo("early");
        now.addAndGet(15);
        last.get().run();
        assertThat(old.get()).isEqualTo("late");
    }

    @Test
    void addAfter_whenShutDown_isIgnored_DQ01() {
        queue.shutDown();

        queue.addAfter("a", Duration.ofSeconds(1));

        assertThat(queue.delayed()).isZero();
    }

    @Test
    void shutDown_dropsWhatIsDelayed_DQ05() {
        queue.addAfter("a", Duration.ofSeconds(1));

        queue.shutDown();

        assertThat(queue.delayed()).isZero();
    }

    @Test
    void shutDownWithDrain_dropsWhatIsDelayed_DQ05() throws Exception {
        queue.addAfter("a", Duration.ofSeconds(1));

        queue.shutDownWithDrain();

        assertThat(queue.delayed()).isZero();
        assertThat(queue.dropped()).containsExactly("a");
        assertThat(queue.isShuttingDown()).isTrue();
        assertThat(queue.get()).isNull();
    }

    @Test
    void addAfter_ofMoreThanAnyBufferHolds_losesNothing() throws Exception {
        int items = 50_000;
        DelayingQueue<Integer> real = WorkQueues.delaying(WorkQueueConfig.named("test"));
        for (int i = 0; i < items; i++) {
            real.addAfter(i, Duration.ofMillis(1));
        }

        Set<Integer> got = new HashSet<>();
        while (got.size() < items) {
            Integer item = real.get();
            got.add(item);
            real.done(item);
        }
        real.shutDown();
    }

    @Test
    void thread_startsWithTheFirstDelay_andIsGoneWithTheScheduler_I12() {
        Threads threads = new Threads();
        Scheduler scheduler = Scheduler.system(threads);
        DelayingQueue<String> real =
                WorkQueues.delaying(WorkQueueConfig.named("pods").withScheduler(scheduler));
        real.add("a");
        assertThat(threads.made()).isEmpty();

        real.addAfter("b", Duration.ofHours(1));
        real.addAfter("c", Duration.ofMinutes(1));
        assertThat(threads.made()).extracting(Thread::getName).containsExactly("kubeloop-timer");

        real.shutDown();
        scheduler.close();
        assertThat(threads.allEnded()).isTrue();
    }

    @Test
    void shutDown_cancelsTheAlarm_I12() {
        queue.addAfter("a", Duration.ofHours(1));
        queue.addAfter("b", Duration.ofMinutes(1));

        queue.shutDown();

        assertThat(clock.waiting()).isZero();
    }
}
