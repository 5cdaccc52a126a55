/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controlplane;

import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.kubeloop.workqueue.RateLimitingQueue;
import io.kubeloop.workqueue.WorkQueueConfig;
import io.kubeloop.workqueue.WorkQueues;
import io.kubeloop.workqueue.Worker;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class UncountedQueueTest {

    private final RateLimitingQueue<String> early = WorkQueues.rateLimiting("early");
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
            worker.close();
            clock.awaitQuiet();
        }
    }

    @Test
    void aWorkerOnAQueueThatFollowsTheClock_isAccepted() {
        RateLimitingQueue<String> follows =
                WorkQueues.rateLimiting(WorkQueueConfig.named("follows").withScheduler(clock.scheduler()));
        try (Worker<String> worker = worker(follows);
                Worker<String> ordinary = worker(WorkQueues.rateLimiting("ordinary"))) {
            follows.add("key");
            clock.awaitQuiet();
            worker.close();
            ordinary.close();
        }
    }

    private static Worker<String> worker(RateLimitingQueue<String> queue) {
        return Worker.start(queue, 1, Thread::new, key -> {});
    }
}
