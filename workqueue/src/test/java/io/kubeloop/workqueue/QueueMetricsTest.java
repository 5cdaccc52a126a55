/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.workqueue;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.runtime.testing.ManualScheduler;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class QueueMetricsTest {

    private final ManualScheduler clock = new ManualScheduler();
    private final List<String> seen = new ArrayList<>();
    private final AtomicReference<QueueGauges> gauges = new AtomicReference<>();

    private RateLimitingQueue<String> queue(String name) {
        return WorkQueues.rateLimiting(
                WorkQueueConfig.named(name).withScheduler(clock).withMetrics(this::register),
                RateLimiters.exponential(Duration.ofMillis(5), Duration.ofSeconds(1)));
    }

    private QueueMetrics register(String name, QueueGauges all) {
        seen.add("register " + name);
        gauges.set(all);
        return new QueueMetrics() {
            @Override
            public void added() {
                seen.add("added");
            }

            @Override
            public void taken(Duration waited) {
                seen.add("taken " + waited.toMillis());
            }

            @Override
            public void processed(Duration worked) {
                seen.add("processed " + worked.toMillis());
            }

            @Override
            public void retried(Duration delay) {
                seen.add("retried " + delay.toMillis());
            }

            @Override
            public void close() {
                seen.add("close");
            }
        };
    }

    @Test
    void moves_ofEachItem_areReportedInOrder() throws Exception {
        List<String> moves = new CopyOnWriteArrayList<>();
        QueueMetrics watching = new QueueMetrics() {
            @Override
            public void added() {}

            @Override
            public void taken(Duration waited) {}

            @Override
            public void processed(Duration worked) {}

            @Override
            public void retried(Duration delay) {}

            @Override
            public void onTransition(QueueTransition transition, Object item) {
                moves.add(transition + " " + item);
            }

            @Override
            public void close() {}
        };
        RateLimitingQueue<String> queue = WorkQueues.rateLimiting(
                WorkQueueConfig.named("q").withScheduler(clock).withMetrics((name, gauges) -> watching));
        queue.add("a");
        queue.add("a");
        queue.addAfter("b", Duration.ofSeconds(1));
        queue.done(queue.get());

        assertThat(moves).containsExactly("ADDED a", "ADDED a", "MERGED a", "DELAYED b", "TAKEN a", "DONE a");
    }

    @Test
    void unnamedQueue_hasNone_WM01() {
        queue("").add("a");

        assertThat(seen).isEmpty();
    }

    @Test
    void adds_areCountedIfTheyHaveAnEffect_WM02() throws Exception {
        RateLimitingQueue<String> queue = queue("q");
        queue.add("a");
        queue.add("a");
        queue.get();
        queue.add("a");
        queue.add("a");

        assertThat(seen).containsExactly("register q", "added", "taken 0", "added");
        assertThat(gauges.get().depth()).isZero();
        queue.done("a");
        assertThat(gauges.get().depth()).isEqualTo(1);
    }

    @Test
    void depthByPriority_ofAQueueWithoutPriorities_isAllAtZero() {
        RateLimitingQueue<String> queue = queue("q");
        assertThat(gauges.get().depthByPriority()).isEmpty();
        queue.add("a");
        queue.add("b");

        assertThat(gauges.get().depthByPriority()).containsExactly(Map.entry(0, 2));
    }

    @Test
    void aQueueInAnOrderOfTheUsers_hasThemToo_WM01() {
        WorkQueues.ordered(
                        WorkQueueConfig.named("o").withScheduler(clock).withMetrics(this::register),
                        new QueueOrder<String>() {
                            private final Deque<String> items = new ArrayDeque<>();

                            @Override
                            public void touch(String item) {}

                            @Override
                            public void push(String item) {
                                items.add(item);
                            }

                            @Override
                            public String pop() {
                                return items.remove();
                            }

                            @Override
                            public int length() {
                                return items.size();
                            }
                        })
                .add("a");

        assertThat(seen).containsExactly("register o", "added");
    }

    @Test
    void durations_runFromTheAddAndFromTheGet_WM02() throws Exception {
        RateLimitingQueue<String> queue = queue("q");
        queue.add("a");
        clock.advance(Duration.ofMillis(10));
        queue.get();
        clock.advance(Duration.ofMillis(20));
        queue.add("a");
        clock.advance(Duration.ofMillis(30));
        queue.done("a");
        clock.advance(Duration.ofMillis(40));
        queue.get();

        assertThat(seen).containsExactly("register q", "added", "taken 10", "added", "processed 50", "taken 70");
    }

    @Test
    void retries_areCountedWithTheirDelay_WM02() {
        // RQ-01
        RateLimitingQueue<String> queue = queue("q");
        queue.addRateLimited("a");
        queue.addRateLimited("a");
        queue.addAfter("b", Duration.ofSeconds(-1));

        assertThat(seen).containsExactly("register q", "retried 5", "retried 10", "retried 0", "added");
    }

    @Test
    void unfinishedWork_isTheSumOfAges_andLongestTheOldest_WM03() throws Exception {
        RateLimitingQueue<String> queue = queue("q");
        assertThat(gauges.get().longestRunning()).isZero();
        queue.add("a");
        queue.add("b");
        queue.get();
        clock.advance(Duration.ofSeconds(2));
        queue.get();
        clock.advance(Duration.ofSeconds(1));

        assertThat(gauges.get().unfinishedWork()).isEqualTo(Duration.ofSeconds(4));
        assertThat(gauges.get().longestRunning()).isEqualTo(Duration.ofSeconds(3));
        queue.done("a");
        assertThat(gauges.get().unfinishedWork()).isEqualTo(Duration.ofSeconds(1));
        assertThat(gauges.get().longestRunning()).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void shutDown_closesTheMetricsOnce_WM01() throws Exception {
        RateLimitingQueue<String> queue = queue("q");
        queue.shutDown();
        queue.shutDownWithDrain();
        queue.addAfter("a", Duration.ZERO);

        assertThat(seen).containsExactly("register q", "close");
    }

    @Test
    void metricsThatThrow_harmNobody() throws Exception {
        List<Throwable> reported = new ArrayList<>();
        WorkQueue<String> queue = WorkQueues.fifo(WorkQueueConfig.named("q").withMetrics((name, all) -> new Broken()));
        Thread user = new Thread(() -> {
            queue.add("a");
            try {
                queue.done(queue.get());
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            queue.shutDown();
        });
        user.setUncaughtExceptionHandler((thread, error) -> reported.add(error));
        user.start();
        user.join();

        assertThat(reported).extracting(Throwable::getMessage).containsExactly("added", "taken", "processed", "close");
    }

    private static final class Broken implements QueueMetrics {
        @Override
        public void added() {
            throw new IllegalStateException("added");
        }

        @Override
        public void taken(Duration waited) {
            throw new IllegalStateException("taken");
        }

        @Override
        public void processed(Duration worked) {
            throw new IllegalStateException("processed");
        }

        @Override
        public void retried(Duration delay) {
            throw new IllegalStateException("retried");
        }

        @Override
        public void close() {
            throw new IllegalStateException("close");
        }
    }
}
