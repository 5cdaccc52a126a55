/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller;

import io.kubeloop.cache.SharedInformer;
import io.kubeloop.workqueue.RateLimitingQueue;
import io.kubeloop.workqueue.WorkQueueConfig;
import io.kubeloop.workqueue.WorkQueues;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadFactory;

/**
 * A loop that runs one round after the other, with the same pause between them (upstream: {@code wait.Until}). The
 * first round begins when the caches are filled. A round that fails is repeated with growing delays.
 *
 * <p>A part of a controller, which starts and stops it. Thread-safe; {@link #awaitTermination} and {@link #close}
 * block.
 */
public final class PeriodicController implements SingleLoopController {

    private static final String ROUND = "round";

    private final RateLimitingQueue<String> queue;
    private final ControllerLoop<String> loop;

    /**
     * Creates a loop that is not started.
     *
     * @param name the controller's name
     * @param queue the configuration of the loop's queue
     * @param pause the time from the end of a round to the start of the next
     * @param round runs on the loop's thread
     * @param read the informers whose caches a round reads; the loop waits until they are filled
     * @param threads makes the threads
     */
    public PeriodicController(
            String name,
            WorkQueueConfig queue,
            Duration pause,
            Runnable round,
            List<SharedInformer<?>> read,
            ThreadFactory threads) {
        this.queue = WorkQueues.rateLimiting(queue);
        loop = new ControllerLoop<>(
                name,
                this.queue,
                item -> {
                    round.run();
                    this.queue.addAfter(item, pause);
                },
                List.of(),
                read,
                threads);
    }

    /** Starts one worker and ignores the given number, because rounds run one after the other. */
    @Override
    public void start(int workers) {
        loop.start(1);
        queue.add(ROUND);
    }

    @Override
    public ControllerLoop<?> loop() {
        return loop;
    }
}
