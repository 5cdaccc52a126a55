/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.workqueue;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.runtime.testing.ManualScheduler;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(10)
class WorkQueuesTest {

    @Test
    void rateLimiting_byName_waitsAsMostControllersDo() {
        RateLimitingQueue<String> queue = WorkQueues.rateLimiting("pods");
        assertThat(queue.name()).isEqualTo("pods");
        queue.addRateLimited("a");
        queue.addRateLimited("a");
        assertThat(queue.numRequeues("a")).isEqualTo(2);
        queue.shutDown();
    }

    @Test
    void priority_byName_waitsAsMostControllersDo() throws Exception {
        PriorityWorkQueue<String> queue = WorkQueues.priority("pods");
        assertThat(queue.name()).isEqualTo("pods");
        queue.addRateLimited("a");
        assertThat(queue.numRequeues("a")).isEqualTo(1);
        assertThat(queue.get()).isEqualTo("a");
        queue.shutDown();
    }

    @Test
    void rateLimiting_saysWhatIsDelayed_andWhatWasDropped() throws Exception {
        RateLimitingQueue<String> queue =
                WorkQueues.rateLimiting(WorkQueueConfig.named("").withScheduler(new ManualScheduler()));
        queue.addAfter("a", Duration.ofSeconds(1));
        assertThat(queue.delayed()).isEqualTo(1);

        queue.shutDownWithDrain();

        assertThat(queue.isShuttingDown()).isTrue();
        assertThat(queue.delayed()).isZero();
        assertThat(queue.dropped()).containsExactly("a");
    }

    @Test
    void bucket_byTheSystemsClock_letsItsBurstThrough() {
        RateLimiter<String> bucket = RateLimiters.bucket(0.001, 2);
        assertThat(bucket.when("a")).isZero();
        assertThat(bucket.when("b")).isZero();
        assertThat(bucket.when("c")).isPositive();
    }

    @Test
    void addOptions_copies_changeOneThing() {
        AddOptions options = AddOptions.ofPriority(3).withAfter(Duration.ofSeconds(2));
        assertThat(options.withPriority(5)).isEqualTo(new AddOptions(Duration.ofSeconds(2), false, 5));
        assertThat(options.withRateLimited(true)).isEqualTo(new AddOptions(Duration.ofSeconds(2), true, 3));
    }
}
