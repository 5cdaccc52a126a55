/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.workqueue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** WQ-10: the order of a queue is the user's, its guarantees are not. */
@Timeout(10)
class OrderedWorkQueueTest {

    /** Last in, first out; what is touched comes next. */
    private static final class Stack implements QueueOrder<String> {

        final Deque<String> items = new ArrayDeque<>();
        final List<String> touched = new ArrayList<>();

        @Override
        public void touch(String item) {
            touched.add(item);
            items.remove(item);
            items.push(item);
        }

        @Override
        public void push(String item) {
            if (item.equals("refused")) {
                throw new IllegalStateException("no");
            }
            items.push(item);
        }

        @Override
        public int length() {
            return items.size();
        }

        @Override
        public String pop() {
            return items.pop();
        }
    }

    private final Stack stack = new Stack();
    private final WorkQueue<String> queue = WorkQueues.ordered(WorkQueueConfig.named("stack"), stack);

    @Test
    void get_goesByTheOrder_WQ10() throws Exception {
        queue.add("a");
        queue.add("b");
        queue.add("c");

        assertThat(queue.get()).isEqualTo("c");
        assertThat(queue.get()).isEqualTo("b");
        assertThat(queue.length()).isEqualTo(1);
    }

    @Test
    void add_ofWhatWaits_touches_andOfWhatIsProcessedDoesNot_WQ02() throws Exception {
        queue.add("a");
        queue.add("b");
        queue.add("a");
        assertThat(queue.get()).isEqualTo("a");

        queue.add("a");
        queue.add("a");

        assertThat(stack.touched).containsExactly("a");
        assertThat(queue.length()).isEqualTo(1);
    }

    @Test
    void done_ofWhatWasAddedMeanwhile_pushesIt_WQ05() throws Exception {
        queue.add("a");
        queue.add("b");
        queue.get();
        queue.add("b");
        queue.done("b");

        assertThat(queue.get()).isEqualTo("b");
        assertThat(queue.get()).isEqualTo("a");
    }

    @Test
    void push_thatThrows_losesThatItemOnly_andTellsWhoAdded() throws Exception {
        assertThatIllegalStateException().isThrownBy(() -> queue.add("refused"));
        queue.add("a");

        assertThat(queue.get()).isEqualTo("a");
        queue.done("a");
        queue.shutDownWithDrain();
        assertThat(queue.get()).isNull();
    }

    @Test
    void pop_ofNothing_isTheOrdersFault() {
        WorkQueue<String> broken = WorkQueues.ordered(WorkQueueConfig.named("broken"), new QueueOrder<>() {
            @Override
            public void push(String item) {}

            @Override
            public int length() {
                return 1;
            }

            @Override
            @SuppressWarnings("NullAway") // What a careless order does.
            public String pop() {
                return null;
            }
        });
        broken.add("a");
        broken.add("a");

        assertThatNullPointerException()
                .isThrownBy(broken::get)
                .withMessage("Cannot take an item from queue broken: its QueueOrder returned null from pop()");
    }

    @Test
    void retries_goThroughTheOrderToo() throws Exception {
        RateLimitingQueue<String> limited = WorkQueues.rateLimiting(
                WorkQueueConfig.named("stack"), RateLimiters.exponential(Duration.ZERO, Duration.ZERO), stack);
        limited.add("a");
        limited.addRateLimited("b");

        assertThat(limited.get()).isEqualTo("b");
        assertThat(limited.numRequeues("b")).isEqualTo(1);
        limited.shutDown();
    }
}
