/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controlplane;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.kubeloop.workqueue.RateLimitingQueue;
import io.kubeloop.workqueue.WorkQueueConfig;
import io.kubeloop.workqueue.WorkQueues;
import io.kubeloop.workqueue.Worker;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@SuppressWarnings("try") // the clock is asked again after an explicit close
class UncountedQueueTest {

    private final RateLimitingQueue<String> early = WorkQueues.rateLimiting("early");
    private final List<String> handled = new CopyOnWriteArrayList<>();
    private final SimulatedClock clock = SimulatedClock.frozen(Instant.EPOCH);

    @AfterEach
    void close() {
        clock.close();
    }

    @Test
    void aWorkerOnAQueueThatIsOlderThanTheClock_isRefusedByName() {
        clock.awaitQuiet(); // a queue without a worker does nothing

        try (Worker<String> worker = worker(early)) {
            early.add("key");
            assertThatIllegalStateException()
                    .isThrownBy(clock::awaitQuiet)
                    .withMessageContaining("queue early")
                    .withMessageContaining("withScheduler");
            assertThatIllegalStateException()
                    .isThrownBy(() -> clock.advance(Duration.ofDays(1)))
                    .withMessageContaining("queue early");
            assertThat(worker).isNotNull();
        }
        clock.awaitQuiet(); // the worker has ended
    }

    @Test
    void aWorkerOnAQueueThatFollowsTheClock_isAccepted() {
        RateLimitingQueue<String> follows =
                WorkQueues.rateLimiting(WorkQueueConfig.named("follows").withScheduler(clock.scheduler()));
        RateLimitingQueue<String> ordinary = WorkQueues.rateLimiting("ordinary");
        try (Worker<String> one = worker(follows);
                Worker<String> other = worker(ordinary)) {
            follows.add("a");
            ordinary.add("b");
            clock.awaitQuiet();
            assertThat(handled).containsExactlyInAnyOrder("a", "b");
            assertThat(one).isNotSameAs(other);
        }
    }

    /** The four ways to a queue of an earlier test's clock. */
    @ParameterizedTest
    @ValueSource(strings = {"made then", "made with its scheduler", "worker of then", "worker of then, nested"})
    void aQueueOfAnEarlierClock_isRefusedByName(String way) throws Exception {
        clock.close();
        SimulatedClock outer = SimulatedClock.frozen(Instant.EPOCH);
        if (!way.endsWith("nested")) {
            outer.close();
        }
        RateLimitingQueue<String> queue;
        Worker<String> worker = null;
        try (SimulatedClock earlier = SimulatedClock.frozen(Instant.EPOCH)) {
            queue = WorkQueues.rateLimiting(
                    way.equals("made with its scheduler")
                            ? WorkQueueConfig.named("of then").withScheduler(earlier.scheduler())
                            : WorkQueueConfig.named("of then"));
            if (way.startsWith("worker of then")) {
                worker = worker(queue);
                earlier.awaitQuiet(); // the clock of this queue counts it
            }
        }
        try (SimulatedClock now = SimulatedClock.frozen(Instant.EPOCH);
                Worker<String> running = worker == null ? worker(queue) : worker) {
            queue.add("key");
            assertThatIllegalStateException()
                    .isThrownBy(now::awaitQuiet)
                    .withMessageContaining("queue of then")
                    .withMessageContaining("withScheduler");
            assertThatIllegalStateException()
                    .isThrownBy(() -> now.advance(Duration.ofDays(1)))
                    .withMessageContaining("queue of then");
            assertThat(running.stop(Duration.ofSeconds(10))).isTrue();
            now.awaitQuiet();
        } finally {
            outer.close();
        }
    }

    /** Two control planes of one test: the queue of the outer clock is counted there. */
    @Test
    void aQueueOfAnotherOpenClock_isNotRefused() {
        RateLimitingQueue<String> outside = WorkQueues.rateLimiting("outside");
        try (SimulatedClock inner = SimulatedClock.frozen(Instant.EPOCH);
                Worker<String> worker = worker(outside)) {
            outside.add("key");
            inner.awaitQuiet();
            clock.awaitQuiet();
            assertThat(handled).containsExactly("key");
            assertThat(worker).isNotNull();
        }
    }

    private Worker<String> worker(RateLimitingQueue<String> queue) {
        return Worker.start(queue, 1, Thread::new, handled::add);
    }
}
