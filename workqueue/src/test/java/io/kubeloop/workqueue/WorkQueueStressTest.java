/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.workqueue;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.runtime.Scheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The invariants that only several threads can break. Bounded in work, not in time. */
@Timeout(30)
class WorkQueueStressTest {

    private static final int PRODUCERS = 3;
    private static final int WORKERS = 4;
    private static final int ITEMS = 50;
    private static final int ADDS_PER_PRODUCER = 15_000;

    private final Threads threads = new Threads();

    /** What was asked for, and what the workers had seen of it when they last processed the item. */
    private final AtomicIntegerArray wanted = new AtomicIntegerArray(ITEMS);

    private final AtomicIntegerArray seen = new AtomicIntegerArray(ITEMS);
    private final AtomicIntegerArray inside = new AtomicIntegerArray(ITEMS);
    private final AtomicInteger collisions = new AtomicInteger();

    @Test
    void I3_anItemIsProcessedByOneWorkerAtATime_andAnAddMeanwhileIsNeverLost() throws Exception {
        RateLimitingQueue<Integer> queue = WorkQueues.rateLimiting(
                WorkQueueConfig.named("stress").withScheduler(Scheduler.system(threads)),
                RateLimiters.exponential(Duration.ofNanos(1000), Duration.ofMillis(1)));
        Worker<Integer> worker = Worker.builder(queue, this::process)
                .threads(WORKERS)
                .threadFactory(threads)
                .onFailure((item, error, retries, willRetry) -> {})
                .start();

        List<Thread> producers = new ArrayList<>();
        for (int i = 0; i < PRODUCERS; i++) {
            Thread producer = threads.newThread(() -> produce(queue));
            producer.start();
            producers.add(producer);
        }
        for (Thread producer : producers) {
            producer.join();
        }
        assertThat(worker.stop(Duration.ofSeconds(20))).isTrue();

        assertThat(collisions).hasValue(0);
        for (int item = 0; item < ITEMS; item++) {
            assertThat(seen.get(item)).as("item %d", item).isEqualTo(wanted.get(item));
        }
        assertThat(queue.length()).isZero();
        assertThat(queue.delayed()).isZero();
        for (Thread thread : threads.made()) {
            thread.join();
        }
    }

    private void produce(RateLimitingQueue<Integer> queue) {
        for (int i = 0; i < ADDS_PER_PRODUCER; i++) {
            int item = ThreadLocalRandom.current().nextInt(ITEMS);
            wanted.incrementAndGet(item);
            if (i % 16 == 0) {
                queue.addAfter(item, Duration.ofNanos(1000));
            }
            queue.add(item);
        }
    }

    private void process(Integer item) {
        if (inside.getAndIncrement(item) != 0) {
            collisions.incrementAndGet();
        }
        int want = wanted.get(item);
        Thread.onSpinWait();
        inside.decrementAndGet(item);
        seen.set(item, want);
        if (want % 64 == 1) {
            throw new IllegalStateException("every now and then");
        }
    }

    @Test
    void I12_afterShutDown_noThreadIsLeft_howeverManyAddsRaceWithIt() throws Exception {
        for (int round = 0; round < 100; round++) {
            DelayingQueue<Integer> queue =
                    WorkQueues.delaying(WorkQueueConfig.named("race").withScheduler(Scheduler.system(threads)));
            Thread adder = threads.newThread(() -> {
                for (int i = 0; !queue.isShuttingDown(); i++) {
                    queue.addAfter(i, Duration.ofNanos(1 + i % 5000));
                }
            });
            adder.start();
            while (queue.length() + queue.delayed() == 0) {
                Thread.onSpinWait();
            }

            queue.shutDown();

            adder.join();
            assertThat(queue.delayed()).isZero();
        }
        for (Thread thread : threads.made()) {
            thread.join();
        }
        assertThat(threads.allEnded()).isTrue();
    }
}
