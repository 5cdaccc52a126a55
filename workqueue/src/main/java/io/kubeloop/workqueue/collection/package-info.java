/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The collections of the queues: a FIFO queue and a hash table. They release memory after a burst.
 *
 * <p>Entry types: {@link io.kubeloop.workqueue.collection.ShrinkingFifo} and
 * {@link io.kubeloop.workqueue.collection.ItemTable}. No type is thread-safe: each is guarded by the lock of its queue.
 */
@NullMarked
package io.kubeloop.workqueue.collection;

import org.jspecify.annotations.NullMarked;
