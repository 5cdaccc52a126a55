/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.workqueue.queue;

import io.kubeloop.runtime.collection.ItemTable;
import org.jspecify.annotations.Nullable;

/**
 * The state of one item in a queue. Guarded by the queue's lock.
 *
 * @param <T> the type of the item
 */
final class Entry<T> extends ItemTable.Node<T> {

    /** Whether the item needs processing: now, or after the processing that is under way. */
    boolean dirty;

    /** Whether a worker has the item. */
    boolean processing;

    /** Whether the entry is in the heap of delayed items. */
    boolean delayed;

    /** Whether a second call has delayed the item; valid while delayed. */
    boolean delayedAgain;

    /** Valid while dirty or delayed. 0 in a queue without priorities. */
    int priority;

    /** The priority with which the item was handed out; valid while processing. */
    int takenPriority;

    /** The next entry of a line in the order of adds; null for the last one, and outside such a line. */
    @Nullable
    Entry<T> behind;

    /** The position among ready entries of equal priority. */
    long readySequence;

    /** The time at which the item is due; valid while delayed. */
    long readyAt;

    /** The position among delayed entries of equal time and priority. */
    long delaySequence;

    /** The time at which the item became dirty; only if the queue has metrics. */
    long addedAt;

    /** The time at which the item was handed out; only if the queue has metrics. */
    long takenAt;
}
