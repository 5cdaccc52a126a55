/**
 * Queues of keys to process.
 *
 * <p>Entry type: {@link io.kubeloop.workqueue.RateLimitingQueue}. Every type is thread-safe unless it says otherwise.
 */
@NullMarked
package io.kubeloop.workqueue;

import org.jspecify.annotations.NullMarked;
