/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.workqueue;

import static io.kubeloop.workqueue.PriorityWorkQueue.LOW_PRIORITY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;
import static org.awaitility.Awaitility.await;

import io.kubeloop.runtime.Scheduler;
import io.kubeloop.runtime.testing.ManualScheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(10)
class PriorityWorkQueueTest {

    private static final Duration SECOND = Duration.ofSeconds(1);

    private final ManualScheduler clock = new ManualScheduler();
    private final List<String> seen = new CopyOnWriteArrayList<>();
    private final AtomicReference<QueueGauges> gauges = new AtomicReference<>();
    private final Threads threads = new Threads();
    private final PriorityWorkQueue<String> queue = WorkQueues.priority(
            WorkQueueConfig.named("pods").withScheduler(clock).withMetrics(this::register),
            RateLimiters.exponential(SECOND, Duration.ofSeconds(100)));

    @Test
    void addAfter_aNegativeDelayOfAnyLength_isNow() throws Exception {
        queue.addAfter("a", Duration.ofSeconds(Long.MIN_VALUE));
        queue.addAfter("b", Duration.ofNanos(-1));

        assertThat(queue.get()).isEqualTo("a");
        assertThat(queue.get()).isEqualTo("b");
    }

    private QueueMetrics register(String name, QueueGauges all) {
        gauges.set(all);
        seen.add("depth " + all.depth());
        return new QueueMetrics() {
            @Override
            public void added() {
                seen.add("added");
            }

            @Override
            public void taken(Duration waited) {
                seen.add("taken " + waited.toSeconds());
            }

            @Override
            public void processed(Duration worked) {
                seen.add("processed " + worked.toSeconds());
            }

            @Override
            public void retried(Duration delay) {
                seen.add("retried " + delay.toSeconds());
            }

            @Override
            public void close() {
                seen.add("close");
            }
        };
    }

    private void add(String item, int priority) {
        queue.addWithOptions(item, AddOptions.ofPriority(priority));
    }

    private void addAfter(String item, Duration delay, int priority) {
        queue.addWithOptions(item, AddOptions.ofPriority(priority).withAfter(delay));
    }

    /** Takes all that is ready, each done at once. */
    private List<String> takeAll() throws InterruptedException {
        List<String> items = new ArrayList<>();
        while (queue.length() > 0) {
            String item = queue.get();
            items.add(item);
            queue.done(item);
        }
        return items;
    }

    @Test
    void get_givesTheHighestPriorityFirst_andTheOldestAmongEquals() throws Exception {
        add("low", LOW_PRIORITY);
        queue.add("first");
        add("high", 5);
        queue.add("second");

        assertThat(takeAll()).containsExactly("high", "first", "second", "low");
    }

    @Test
    void getWithPriority_saysThePriority() throws Exception {
        add("a", 7);

        assertThat(queue.getWithPriority()).isEqualTo(new Prioritized<>("a", 7));
        queue.shutDown();
        assertThat(queue.getWithPriority()).isNull();
    }

    @Test
    void add_again_keepsTheHighestPriority_andOneEntry_WQ02() throws Exception {
        add("a", 1);
        add("a", 3);
        add("a", 2);

        assertThat(queue.length()).isEqualTo(1);
        assertThat(queue.getWithPriority()).isEqualTo(new Prioritized<>("a", 3));
    }

    @Test
    void add_again_withAHigherPriority_goesToTheEndOfItsNewEquals() throws Exception {
        queue.add("a");
        add("b", 1);
        add("c", 1);
        add("a", 1);

        assertThat(takeAll()).containsExactly("b", "c", "a");
    }

    @Test
    void add_again_withALowerPriority_keepsItsPlace() throws Exception {
        queue.add("a");
        queue.add("b");
        add("a", LOW_PRIORITY);

        assertThat(takeAll()).containsExactly("a", "b");
    }

    @Test
    void addAfter_keepsTheEarliestTime_andTheHighestPriority_DQ02() throws Exception {
        addAfter("a", SECOND.multipliedBy(5), 0);
        addAfter("a", SECOND.multipliedBy(2), LOW_PRIORITY);
        addAfter("a", SECOND.multipliedBy(3), 4);
        assertThat(queue.delayed()).isEqualTo(1);

        clock.advance(SECOND);
        assertThat(queue.length()).isZero();
        clock.advance(SECOND);
        assertThat(queue.delayed()).isZero();
        assertThat(queue.getWithPriority()).isEqualTo(new Prioritized<>("a", 4));
    }

    @Test
    void add_ofWhatWaitsForItsTime_makesItReady_once_withTheHighestPriority() throws Exception {
        addAfter("a", SECOND, 3);
        queue.add("a");

        assertThat(queue.delayed()).isZero();
        Prioritized<String> taken = queue.getWithPriority();
        assertThat(taken).isEqualTo(new Prioritized<>("a", 3));
        queue.done("a");
        clock.advance(SECOND.multipliedBy(2));
        assertThat(queue.length()).isZero();
    }

    @Test
    void addAfter_ofWhatIsReady_changesNothingButThePriority() throws Exception {
        queue.add("a");
        addAfter("a", SECOND, 2);

        assertThat(queue.delayed()).isZero();
        assertThat(queue.getWithPriority()).isEqualTo(new Prioritized<>("a", 2));
    }

    @Test
    void due_items_comeByPriorityFirst_andThenByWhenTheyBecameReady() throws Exception {
        addAfter("late", SECOND.multipliedBy(2), 0);
        addAfter("early", SECOND, 0);
        addAfter("high", SECOND.multipliedBy(3), 1);
        clock.advance(SECOND);
        queue.add("between");
        clock.advance(SECOND.multipliedBy(2));

        assertThat(takeAll()).containsExactly("high", "early", "between", "late");
    }

    @Test
    void due_atTheSameMoment_theHigherPriorityIsHandedOutFirst() throws Exception {
        addAfter("low", SECOND, 0);
        addAfter("high", SECOND, 1);
        clock.advance(SECOND);

        assertThat(takeAll()).containsExactly("high", "low");
    }

    @Test
    void add_whileProcessing_waitsForDone_andKeepsItsTurn_WQ03() throws Exception {
        queue.add("a");
        queue.get();
        queue.add("a");
        queue.add("b");
        add("a", 0);
        assertThat(queue.length()).as("what is processed does not wait").isEqualTo(1);
        FutureTask<String> other = threads.startAndAwaitBlocked(() -> {
            queue.get();
            return queue.get();
        });

        queue.done("a");

        assertThat(other.get()).isEqualTo("a");
    }

    @Test
    void delay_thatEndsWhileProcessing_waitsForDone_WQ03() throws Exception {
        queue.add("a");
        queue.get();
        queue.addAfter("a", SECOND);
        clock.advance(SECOND);
        assertThat(queue.length()).isZero();
        assertThat(queue.delayed()).isZero();

        queue.done("a");

        assertThat(takeAll()).containsExactly("a");
    }

    @Test
    void delay_outlastsTheProcessing() throws Exception {
        queue.add("a");
        queue.get();
        addAfter("a", SECOND, 2);
        queue.done("a");
        assertThat(queue.delayed()).isEqualTo(1);

        clock.advance(SECOND);

        assertThat(queue.getWithPriority()).isEqualTo(new Prioritized<>("a", 2));
    }

    @Test
    void priority_ofAnItemThatWasHandedOut_startsAnew() throws Exception {
        add("a", 5);
        queue.done(queue.get());
        add("a", 1);

        assertThat(queue.getWithPriority()).isEqualTo(new Prioritized<>("a", 1));
    }

    @Test
    void rateLimited_withADelay_takesTheShorterOne() {
        queue.addWithOptions("a", AddOptions.DEFAULT.withRateLimited(true).withAfter(Duration.ofMillis(200)));
        queue.addWithOptions("b", AddOptions.DEFAULT.withRateLimited(true).withAfter(SECOND.multipliedBy(9)));

        clock.advance(Duration.ofMillis(200));
        assertThat(queue.length()).isEqualTo(1);
        clock.advance(Duration.ofMillis(800));
        assertThat(queue.length()).isEqualTo(2);
        assertThat(queue.numRequeues("a")).isEqualTo(1);
    }

    @Test
    void retry_keepsThePriority_withWhichTheItemWasHandedOut() throws Exception {
        add("a", LOW_PRIORITY);
        queue.get();
        queue.retry("a");
        queue.done("a");
        clock.advance(SECOND);

        assertThat(queue.getWithPriority()).isEqualTo(new Prioritized<>("a", LOW_PRIORITY));
        assertThat(queue.numRequeues("a")).isEqualTo(1);
        queue.forget("a");
        assertThat(queue.numRequeues("a")).isZero();
    }

    @Test
    void worker_retriesAtTheItemsPriority() throws Exception {
        PriorityWorkQueue<String> real = WorkQueues.priority(
                WorkQueueConfig.named("test"), RateLimiters.exponential(Duration.ofMillis(1), Duration.ofMillis(1)));
        List<String> synced = new CopyOnWriteArrayList<>();
        real.addWithOptions("low", AddOptions.ofPriority(LOW_PRIORITY));
        Worker<String> worker = Worker.builder(real, (String item) -> {
                    synced.add(item);
                    if (synced.size() == 1) {
                        throw new IllegalStateException("again");
                    }
                })
                .threadFactory(threads)
                .onFailure((item, error, retries, willRetry) -> seen.add(item + " " + retries + " " + willRetry))
                .start();

        await().until(() -> synced.size() == 2);

        assertThat(worker.stop(Duration.ofSeconds(8))).isTrue();
        assertThat(synced).containsExactly("low", "low");
        assertThat(seen).contains("low 0 true");
    }

    @Test
    void done_ofWhatOnlyWaits_changesNothing() throws Exception {
        queue.add("a");
        queue.done("a");
        queue.done("unknown");

        assertThat(takeAll()).containsExactly("a");
        assertThat(queue.length()).isZero();
    }

    @Test
    void shutDown_handsOutWhatIsReady_andReportsWhatIsNot_I12() throws Exception {
        queue.add("ready");
        addAfter("late", SECOND.multipliedBy(2), 9);
        addAfter("early", SECOND, 0);

        queue.shutDown();
        queue.add("refused");
        queue.addAfter("refused", SECOND);

        assertThat(queue.dropped()).containsExactly("early", "late");
        assertThat(queue.delayed()).isZero();
        assertThat(queue.get()).isEqualTo("ready");
        assertThat(queue.get()).isNull();
    }

    @Test
    void shutDownWithDrain_waitsForWhatIsProcessed_andNotForTheDelayed_WQ09() throws Exception {
        queue.add("a");
        queue.get();
        queue.addAfter("a", SECOND);
        FutureTask<Void> drain = threads.startAndAwaitBlocked(() -> {
            queue.shutDownWithDrain();
            return null;
        });

        queue.done("a");

        drain.get();
        assertThat(queue.dropped()).containsExactly("a");
        assertThat(queue.get()).isNull();
    }

    @Test
    void get_whileWaiting_isEndedByShutDown_WQ08() throws Exception {
        FutureTask<Prioritized<String>> worker = threads.startAndAwaitBlocked(queue::getWithPriority);

        queue.shutDown();

        assertThat(worker.get()).isNull();
    }

    @Test
    void metrics_countWhatIsReady_WM02() throws Exception {
        queue.addAfter("a", SECOND);
        clock.advance(SECOND);
        clock.advance(SECOND);
        queue.get();
        clock.advance(SECOND);
        queue.done("a");
        queue.shutDown();

        assertThat(seen).containsExactly("depth 0", "retried 1", "added", "taken 1", "processed 1", "close");
    }

    @Test
    void metrics_countAnItemOnce_howeverOftenItIsAdded_WM02() throws Exception {
        queue.add("a");
        queue.add("a");
        add("a", 3);
        queue.addAfter("a", SECOND);
        queue.get();
        queue.add("a");

        assertThat(seen).containsExactly("depth 0", "added", "retried 1", "taken 0", "added");
    }

    @Test
    void addRateLimited_waitsAsLongAsTheLimiterSays() {
        queue.addRateLimited("a");
        queue.addRateLimited("a");

        assertThat(queue.numRequeues("a")).isEqualTo(2);
        clock.advance(Duration.ofMillis(999));
        assertThat(queue.length()).isZero();
        clock.advance(Duration.ofMillis(1));
        assertThat(queue.length()).isEqualTo(1);
    }

    @Test
    void add_whenTheLimiterShutsTheQueueDown_isRefused() {
        for (Duration delay : List.of(Duration.ZERO, SECOND)) {
            AtomicReference<PriorityWorkQueue<String>> ending = new AtomicReference<>();
            ending.set(WorkQueues.priority(WorkQueueConfig.named("").withScheduler(clock), new RateLimiter<String>() {
                @Override
                public Duration when(String item) {
                    ending.get().shutDown();
                    return delay;
                }

                @Override
                public void forget(String item) {}

                @Override
                public int numRequeues(String item) {
                    return 0;
                }
            }));

            ending.get().addRateLimited("a");

            assertThat(ending.get().length()).isZero();
            assertThat(ending.get().delayed()).isZero();
        }
    }

    @Test
    void shutDownWithDrain_onlyDelayedItems_returnsAtOnce_WQ09() throws Exception {
        queue.addAfter("a", SECOND);

        queue.shutDownWithDrain();

        assertThat(queue.dropped()).containsExactly("a");
        assertThat(seen).endsWith("close");
    }

    @Test
    void shutDownWithDrain_leavesNoThread_I12() throws Exception {
        Scheduler scheduler = Scheduler.system(threads);
        PriorityWorkQueue<String> real = WorkQueues.priority(
                WorkQueueConfig.named("real").withScheduler(scheduler), RateLimiters.exponential(SECOND, SECOND));
        real.addAfter("a", Duration.ofHours(1));

        real.shutDownWithDrain();
        scheduler.close();

        assertThat(threads.made()).hasSize(1);
        assertThat(threads.allEnded()).isTrue();
    }

    @Test
    void depthByPriority_followsAdds_raises_andGets() throws Exception {
        queue.add("a");
        queue.add("b");
        add("c", 5);
        add("d", LOW_PRIORITY);
        addAfter("e", SECOND, 8);
        assertThat(gauges.get().depthByPriority()).containsExactly(entry(5, 1), entry(0, 2), entry(LOW_PRIORITY, 1));

        add("a", 5);
        assertThat(gauges.get().depthByPriority()).containsExactly(entry(5, 2), entry(0, 1), entry(LOW_PRIORITY, 1));
        queue.get();
        queue.get();
        queue.get();
        queue.add("a");

        assertThat(gauges.get().depthByPriority()).containsExactly(entry(LOW_PRIORITY, 1));
        assertThat(gauges.get().depth()).isEqualTo(1);
    }

    @Test
    void thread_isTheDelaysOnly_andGoneAfterShutDown_I12() throws Exception {
        Scheduler scheduler = Scheduler.system(threads);
        PriorityWorkQueue<String> real = WorkQueues.priority(
                WorkQueueConfig.named("real").withScheduler(scheduler), RateLimiters.exponential(SECOND, SECOND));
        real.add("a");
        assertThat(threads.made()).isEmpty();
        real.addAfter("b", Duration.ofMillis(1));
        real.done(real.get());

        assertThat(real.get()).isEqualTo("b");
        real.shutDown();
        scheduler.close();
        assertThat(threads.made()).extracting(Thread::getName).containsExactly("kubeloop-timer");
        assertThat(threads.allEnded()).isTrue();
    }
}
