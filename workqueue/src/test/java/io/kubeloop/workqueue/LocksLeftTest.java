/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.workqueue;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.runtime.testing.ManualScheduler;
import io.kubeloop.testing.HeldLocks;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** No call of a queue leaves a lock behind: its own thread would not notice, everybody else would wait forever. */
class LocksLeftTest {

    private final ManualScheduler clock = new ManualScheduler();
    private final AtomicReference<QueueGauges> gauges = new AtomicReference<>();
    private final WorkQueueConfig config = WorkQueueConfig.named("locks")
            .withScheduler(clock)
            .withMetrics((name, all) -> {
                gauges.set(all);
                return new QueueMetrics() {
                    @Override
                    public void added() {}

                    @Override
                    public void taken(Duration waited) {}

                    @Override
                    public void processed(Duration worked) {}

                    @Override
                    public void retried(Duration delay) {}

                    @Override
                    public void close() {}
                };
            });

    /** A call; what it answers does not matter here. */
    private interface Call {
        void run() throws InterruptedException;
    }

    private static void leavesNone(Call call) throws InterruptedException {
        List<String> before = HeldLocks.ofCurrentThread();
        call.run();
        assertThat(HeldLocks.ofCurrentThread()).isEqualTo(before);
    }

    private void useAll(RateLimitingQueue<String> queue) throws InterruptedException {
        leavesNone(() -> queue.add("a"));
        leavesNone(() -> queue.add("a"));
        leavesNone(() -> queue.addAfter("b", Duration.ofSeconds(1)));
        leavesNone(() -> queue.addAfter("b", Duration.ofSeconds(2)));
        leavesNone(() -> queue.addAfter("a", Duration.ofSeconds(1)));
        leavesNone(queue::delayed);
        leavesNone(queue::length);
        leavesNone(queue::get);
        leavesNone(() -> gauges.get().depth());
        leavesNone(() -> gauges.get().depthByPriority());
        leavesNone(() -> gauges.get().unfinishedWork());
        leavesNone(() -> gauges.get().longestRunning());
        leavesNone(() -> queue.retry("a"));
        leavesNone(() -> queue.done("a"));
        leavesNone(() -> queue.done("unknown"));
        leavesNone(() -> clock.advance(Duration.ofHours(1)));
        leavesNone(() -> queue.addRateLimited("c"));
        leavesNone(() -> queue.numRequeues("c"));
        leavesNone(() -> queue.forget("c"));
        leavesNone(queue::isShuttingDown);
        leavesNone(queue::shutDown);
        leavesNone(queue::dropped);
        leavesNone(() -> queue.add("d"));
        leavesNone(() -> queue.addAfter("d", Duration.ofSeconds(1)));
        while (queue.length() > 0) {
            queue.done(queue.get());
        }
        leavesNone(queue::get);
        leavesNone(queue::shutDownWithDrain);
    }

    @Test
    void everyCall_ofARateLimitingQueue_leavesNoLock() throws InterruptedException {
        useAll(WorkQueues.rateLimiting(config));
    }

    @Test
    void everyCall_ofABucket_leavesNoLock() throws InterruptedException {
        RateLimiter<String> bucket = RateLimiters.bucket(1, 1, clock);
        leavesNone(() -> bucket.when("a"));
        leavesNone(() -> bucket.when("a"));
    }

    @Test
    void everyCall_ofAPriorityQueue_leavesNoLock() throws InterruptedException {
        useAll(WorkQueues.priority(config, RateLimiters.exponential(Duration.ofSeconds(1), Duration.ofSeconds(1))));
    }
}
