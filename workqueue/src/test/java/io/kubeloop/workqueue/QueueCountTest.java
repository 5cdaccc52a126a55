/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.workqueue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.kubeloop.runtime.Scheduler;
import io.kubeloop.runtime.WorkCounter;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A scheduler that counts work: an item counts before a worker can take it, and until it is done. */
class QueueCountTest {

    private static final Duration DELAY = Duration.ofMillis(5);

    private final StepClock clock = new StepClock();

    /** The items that a worker could take at each begin. */
    private final List<Integer> ready = new ArrayList<>();

    private int count;

    private final class Counting implements Scheduler, WorkCounter {

        private DelayingQueue<String> queue;

        @Override
        public WorkCounter counter(String component) {
            return this;
        }

        @Override
        public void begin() {
            count++;
            ready.add(queue.length());
        }

        @Override
        public void end() {
            count--;
            assertThat(count).isNotNegative();
        }

        @Override
        public Instant now() {
            return clock.now();
        }

        @Override
        public long nanoTime() {
            return clock.nanoTime();
        }

        @Override
        public Task scheduleAt(long nanoTime, Runnable task) {
            return clock.scheduleAt(nanoTime, task);
        }

        @Override
        public void close() {}
    }

    enum Kind {
        FIFO,
        PRIORITIES
    }

    private DelayingQueue<String> counted(Function<WorkQueueConfig, DelayingQueue<String>> kind) {
        Counting counting = new Counting();
        DelayingQueue<String> queue = kind.apply(WorkQueueConfig.named("test").withScheduler(counting));
        counting.queue = queue;
        return queue;
    }

    private DelayingQueue<String> counted(Kind kind) {
        return counted(config -> kind == Kind.FIFO
                ? WorkQueues.delaying(config)
                : WorkQueues.priority(config, RateLimiters.exponential(DELAY, DELAY)));
    }

    @ParameterizedTest
    @EnumSource
    void addedItem_countsBeforeItIsReady(Kind kind) throws Exception {
        DelayingQueue<String> queue = counted(kind);
        queue.add("a");
        queue.add("a");
        assertThat(ready).containsExactly(0);
        assertThat(queue.get()).isEqualTo("a");
        queue.add("a");
        assertThat(ready).containsExactly(0, 0);
        queue.done("a");
        assertThat(count).isEqualTo(1);
        queue.get();
        queue.done("a");
        assertThat(count).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void delayedItem_countsBeforeItIsReady(Kind kind) throws Exception {
        DelayingQueue<String> queue = counted(kind);
        queue.addAfter("a", DELAY);
        assertThat(count).isZero();
        clock.advance(DELAY.toNanos());
        assertThat(ready).containsExactly(0);
        queue.get();
        queue.done("a");
        assertThat(count).isZero();
    }

    @Test
    void itemThatTheOrderRefuses_doesNotCount() {
        DelayingQueue<String> queue = counted(
                config -> WorkQueues.rateLimiting(config, RateLimiters.exponential(DELAY, DELAY), new QueueOrder<>() {
                    @Override
                    public void push(String item) {
                        throw new IllegalStateException(item);
                    }

                    @Override
                    public int length() {
                        return 0;
                    }

                    @Override
                    public String pop() {
                        throw new NoSuchElementException();
                    }
                }));
        assertThatIllegalStateException().isThrownBy(() -> queue.add("a"));
        assertThat(ready).containsExactly(0);
        assertThat(count).isZero();
    }
}
