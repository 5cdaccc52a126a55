/**
 * The collections in which queues keep their items: a line, heaps and a map that release memory after a burst.
 *
 * <p>Entry types: {@link io.kubeloop.workqueue.collection.ShrinkingFifo} and
 * {@link io.kubeloop.workqueue.collection.DelayHeap}. No type is thread-safe: each is confined to the lock of its queue.
 */
@NullMarked
package io.kubeloop.workqueue.collection;

import org.jspecify.annotations.NullMarked;
