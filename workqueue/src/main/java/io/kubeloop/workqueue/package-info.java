/**
 * Queues of keys to process, and the threads that process them.
 *
 * <p>Entry types: {@link io.kubeloop.workqueue.WorkQueues} makes a {@link io.kubeloop.workqueue.RateLimitingQueue},
 * {@link io.kubeloop.workqueue.Worker} works it off:
 *
 * <pre>{@code
 * RateLimitingQueue<ObjectName> queue = WorkQueues.rateLimiting("endpoint");
 * Worker<ObjectName> worker = Worker.start(queue, 5, Thread::new, this::syncService);
 * queue.add(key);
 * ...
 * worker.close();
 * }</pre>
 *
 * <p>{@link io.kubeloop.workqueue.PriorityWorkQueue} is such a queue with priorities. {@link
 * io.kubeloop.workqueue.Parallelizer} does numbered pieces of work side by side.
 *
 * <p>Every type is thread-safe unless its Javadoc states otherwise. The only threads are the worker's, and one per queue that has
 * had delayed items; all are gone after the queue was shut down.
 */
@NullMarked
package io.kubeloop.workqueue;

import org.jspecify.annotations.NullMarked;
