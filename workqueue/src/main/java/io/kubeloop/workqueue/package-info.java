/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Queues of keys to process, and the threads that process them.
 *
 * <p>Entry types: {@link io.kubeloop.workqueue.WorkQueues} creates a {@link io.kubeloop.workqueue.RateLimitingQueue},
 * and {@link io.kubeloop.workqueue.Worker} processes its items:
 *
 * <pre>{@code
 * RateLimitingQueue<ObjectName> queue = WorkQueues.rateLimiting("endpoint");
 * Worker<ObjectName> worker = Worker.start(queue, 5, Thread::new, this::syncService);
 * queue.add(key);
 * ...
 * worker.close();
 * }</pre>
 *
 * <p>{@link io.kubeloop.workqueue.PriorityWorkQueue} is such a queue with priorities.
 *
 * <p>Every type is thread-safe unless its Javadoc states otherwise. The only threads are those of the workers, which
 * end after the queue is shut down, and the one of the scheduler.
 */
@NullMarked
package io.kubeloop.workqueue;

import org.jspecify.annotations.NullMarked;
