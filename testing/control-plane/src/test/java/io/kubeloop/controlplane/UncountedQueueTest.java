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

    private Worker<String> worker(RateLimitingQueue<String> queue) {
        return Worker.start(queue, 1, Thread::new, handled::add);
    }
}
