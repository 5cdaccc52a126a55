/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.workqueue;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.runtime.testing.ManualScheduler;
import io.kubeloop.testing.Allocations;
import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * An item's way through a work queue allocates nothing, once the queue has seen as many items at a time. The limit of 2
 * bytes per item leaves room for what the JVM does meanwhile.
 */
class WorkQueueAllocationTest {

    private static final int CALLS = 20_000;
    private static final double NOTHING = 2;

    private final ManualScheduler clock = new ManualScheduler();
    private final String[] items =
            IntStream.range(0, 1_000).mapToObj(i -> "item-" + i).toArray(String[]::new);
    private int next;

    private String nextItem() {
        return items[next++ % items.length];
    }

    @Test
    void addGetDone_allocatesNothing() throws Exception {
        WorkQueue<String> queue = WorkQueues.fifo(WorkQueueConfig.named("test").withScheduler(clock));

        assertThat(Allocations.perCall(CALLS, () -> {
                    queue.add(nextItem());
                    String item = queue.get();
                    queue.done(item);
                    return item;
                }))
                .isLessThanOrEqualTo(NOTHING);
    }

    @Test
    void addGetDone_ofAPriorityQueue_allocatesNothing() throws Exception {
        WorkQueue<String> queue = WorkQueues.priority(
                WorkQueueConfig.named("test").withScheduler(clock), RateLimiters.defaultItemBased());

        assertThat(Allocations.perCall(CALLS, () -> {
                    queue.add(nextItem());
                    String item = queue.get();
                    queue.done(item);
                    return item;
                }))
                .isLessThanOrEqualTo(NOTHING);
    }

    @Test
    void addRateLimitedGetForgetDone_allocatesNothing() throws Exception {
        RateLimitingQueue<String> queue = WorkQueues.rateLimiting(
                WorkQueueConfig.named("test").withScheduler(clock),
                RateLimiters.exponential(Duration.ZERO, Duration.ZERO));

        assertThat(Allocations.perCall(CALLS, () -> {
                    queue.addRateLimited(nextItem());
                    String item = queue.get();
                    queue.forget(item);
                    queue.done(item);
                    return item;
                }))
                .isLessThanOrEqualTo(NOTHING);
    }
}
