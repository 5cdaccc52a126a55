/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.workqueue;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.runtime.testing.ManualScheduler;
import io.kubeloop.testing.FullHeap;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a queue does when memory does not suffice for one item more: in a JVM of its own, whose heap is full. */
class FullHeapTest {

    /** What grows, with a number of items just below the length at which it does. */
    enum Growing {
        DELAYED(65_500),
        DELAYED_WITH_PRIORITY(65_500),
        /** The map of entries. */
        ENTRIES(49_100),
        /** What delayed items need when their time comes. */
        DUE(40_000),
        DUE_WITH_PRIORITY(40_000);

        final int items;

        Growing(int items) {
            this.items = items;
        }
    }

    @ParameterizedTest
    @EnumSource
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void add_thatFails_losesNoItem(Growing growing) throws Exception {
        assertThat(FullHeap.run(Full.class, growing.name()))
                .containsPattern(
                        switch (growing) {
                            case DUE -> "did not fit: 0"; // the line links the entries
                            case DUE_WITH_PRIORITY -> "did not fit: [1-3]";
                            default -> "did not fit: 3";
                        })
                .contains("lost: 0")
                .contains("drained");
    }

    /** The program of that JVM. */
    static final class Full {

        private static final int MOST_ITEMS = 100_000;
        /** Enough for some hundred items, and for nothing that grows. */
        private static final int FREE_CHUNKS = 16;

        private final ManualScheduler clock = new ManualScheduler();
        private final boolean isDelayed;
        private final boolean isDue;
        private final DelayingQueue<Integer> queue;
        private final boolean[] waiting = new boolean[MOST_ITEMS];

        private Full(Growing growing) {
            WorkQueueConfig config = WorkQueueConfig.named("full").withScheduler(clock);
            isDue = growing == Growing.DUE || growing == Growing.DUE_WITH_PRIORITY;
            isDelayed = isDue || growing == Growing.DELAYED || growing == Growing.DELAYED_WITH_PRIORITY;
            queue = growing == Growing.DELAYED_WITH_PRIORITY || growing == Growing.DUE_WITH_PRIORITY
                    ? WorkQueues.priority(config, RateLimiters.defaultItemBased())
                    : WorkQueues.delaying(config);
        }

        public static void main(String[] args) throws Exception {
            Growing growing = Growing.valueOf(args[0]);
            new Full(growing).run(growing.items);
        }

        private void add(int item) {
            if (isDelayed) {
                queue.addAfter(item, Duration.ofHours(1));
            } else {
                queue.add(item);
            }
            waiting[item] = true;
        }

        private void run(int items) throws InterruptedException {
            int item = 0;
            while (item < items) {
                add(item++);
            }
            List<byte[]> ballast = FullHeap.fill(FREE_CHUNKS);
            int[] refused = new int[3];
            int failures = 0;
            for (int attempt = 0; isDue && attempt < refused.length; attempt++) {
                try {
                    clock.advance(attempt == 0 ? Duration.ofHours(1) : Duration.ZERO);
                } catch (OutOfMemoryError e) {
                    failures++;
                }
            }
            while (!isDue && failures < refused.length && item < MOST_ITEMS) {
                try {
                    add(item);
                } catch (OutOfMemoryError e) {
                    refused[failures++] = item;
                }
                item++;
            }
            ballast.clear();
            for (int i = 1; i < failures && !isDue; i++) { // all but one, of which nothing may be left behind
                add(refused[i]);
            }
            clock.advance(Duration.ofHours(1));
            while (queue.length() > 0) {
                Integer next = queue.get();
                waiting[next] = false;
                queue.done(next);
            }
            int lost = 0;
            for (boolean isLost : waiting) {
                lost += isLost ? 1 : 0;
            }
            System.out.println("did not fit: " + failures + ", lost: " + lost);
            if (lost == 0) {
                queue.shutDownWithDrain();
                System.out.println("drained");
            }
        }
    }
}
