package io.kubeloop.workqueue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.kubeloop.workqueue.testing.ManualAlarmClock;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(10)
class HeapDelayingQueueTest {

    private final ManualAlarmClock clock = new ManualAlarmClock();
    private final DelayingQueue<String> queue =
            WorkQueues.delaying(WorkQueueConfig.named("test").withClock(clock));

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

    /** Who is first may be held up between the heap and the alarm; found by HeapDelayingQueueLincheckTest. */
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
        AlarmClock heldUp = new WrappedAlarms(clock, alarm -> WrappedAlarms.before(alarm, hold));
        DelayingQueue<String> delaying =
                WorkQueues.delaying(WorkQueueConfig.named("test").withClock(heldUp));
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
    void thread_startsWithTheFirstDelay_andIsGoneAfterShutDown_I12() {
        Threads threads = new Threads();
        DelayingQueue<String> real =
                WorkQueues.delaying(WorkQueueConfig.named("pods").withClock(AlarmClock.system(threads)));
        real.add("a");
        assertThat(threads.made()).isEmpty();

        real.addAfter("b", Duration.ofHours(1));
        real.addAfter("c", Duration.ofMinutes(1));
        assertThat(threads.made()).extracting(Thread::getName).containsExactly("kubeloop-delay-pods");

        real.shutDown();
        assertThat(threads.allEnded()).isTrue();
    }

    @Test
    void addAfter_whenNoThreadCanBeMade_throws_andTheNextOneTriesAgain() throws Exception {
        AtomicInteger calls = new AtomicInteger();
        Threads threads = new Threads();
        DelayingQueue<String> real =
                WorkQueues.delaying(WorkQueueConfig.named("").withClock(AlarmClock.system(action -> {
                    if (calls.incrementAndGet() == 1) {
                        throw new IllegalStateException("no more threads");
                    }
                    return threads.newThread(action);
                })));
        assertThatIllegalStateException().isThrownBy(() -> real.addAfter("a", Duration.ofMillis(200)));

        real.addAfter("b", Duration.ofMillis(1));

        // Held up for long enough, this thread makes "b" due after "a".
        assertThat(List.of(real.get(), real.get())).containsExactlyInAnyOrder("a", "b");
        real.shutDown();
        assertThat(threads.allEnded()).isTrue();
    }
}
