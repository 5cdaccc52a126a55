/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.workqueue;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.runtime.Scheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What was to be added later is handed out, or reported as dropped, however many threads add it. */
@Timeout(60)
class DelayedItemsStressTest {

    private static final int PRODUCERS = 8;
    private static final int CONSUMERS = 4;
    private static final int ITEMS = 50_000;

    private final Threads threads = new Threads();
    private final Scheduler scheduler = Scheduler.system(threads);

    static Stream<String> kinds() {
        return Stream.of("fifo", "priority");
    }

    private DelayingQueue<Integer> queue(String kind) {
        WorkQueueConfig config = WorkQueueConfig.named(kind).withScheduler(scheduler);
        return kind.equals("fifo")
                ? WorkQueues.delaying(config)
                : WorkQueues.priority(config, RateLimiters.exponential(Duration.ZERO, Duration.ZERO));
    }

    private List<Thread> consumers(DelayingQueue<Integer> queue, Set<Integer> got, CountDownLatch all) {
        return start(CONSUMERS, ignored -> {
            for (Integer item = queue.get(); item != null; item = queue.get()) {
                if (got.add(item)) {
                    all.countDown();
                }
                queue.done(item);
            }
        });
    }

    private interface Body {
        void run(int number) throws InterruptedException;
    }

    private List<Thread> start(int count, Body body) {
        List<Thread> started = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int number = i;
            Thread thread = threads.newThread(() -> {
                try {
                    body.run(number);
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            });
            thread.start();
            started.add(thread);
        }
        return started;
    }

    private static void join(List<Thread> joined) throws InterruptedException {
        for (Thread thread : joined) {
            thread.join();
        }
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void addAfter_of50000ByManyThreads_losesNothing(String kind) throws Exception {
        DelayingQueue<Integer> queue = queue(kind);
        Set<Integer> got = ConcurrentHashMap.newKeySet();
        CountDownLatch all = new CountDownLatch(ITEMS);
        List<Thread> consumers = consumers(queue, got, all);

        join(start(PRODUCERS, number -> {
            for (int item = number; item < ITEMS; item += PRODUCERS) {
                queue.addAfter(
                        item, Duration.ofNanos(ThreadLocalRandom.current().nextInt(2_000_000)));
            }
        }));
        all.await();
        queue.shutDown();
        join(consumers);

        assertThat(got).hasSize(ITEMS);
        assertThat(queue.dropped()).isEmpty();
        scheduler.close();
        assertThat(threads.allEnded()).isTrue();
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void addAfter_whileShuttingDown_isHandedOutOrReported_I12(String kind) throws Exception {
        for (int round = 0; round < 10; round++) {
            DelayingQueue<Integer> queue = queue(kind);
            Set<Integer> got = ConcurrentHashMap.newKeySet();
            Set<Integer> accepted = ConcurrentHashMap.newKeySet();
            CountDownLatch enough = new CountDownLatch(200);
            List<Thread> consumers = consumers(queue, got, enough);
            List<Thread> producers = start(PRODUCERS, number -> {
                for (int item = number; item < ITEMS && !queue.isShuttingDown(); item += PRODUCERS) {
                    queue.addAfter(
                            item, Duration.ofNanos(ThreadLocalRandom.current().nextInt(500_000)));
                    if (!queue.isShuttingDown()) {
                        accepted.add(item);
                    }
                }
            });
            enough.await();

            queue.shutDown();
            join(producers);
            join(consumers);

            got.addAll(queue.dropped());
            accepted.removeIf(got::contains);
            assertThat(accepted).as("lost by %s in round %d", kind, round).isEmpty();
            assertThat(queue.delayed()).isZero();
            assertThat(queue.length()).isZero();
        }
        scheduler.close();
        assertThat(threads.allEnded()).isTrue();
    }
}
