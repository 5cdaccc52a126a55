/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.workqueue;

/** The transitions of an item in a queue, for observers of the queue. */
public enum QueueTransition {
    /** The item is being added. An item whose delay has passed is reported after it was added. */
    ADDED,
    /** The addition had no effect, because the item waits already: one sync covers both. */
    MERGED,
    /** A worker has taken the item. */
    TAKEN,
    /** The worker is done with the item. */
    DONE,
    /** The item will be added after a delay, such as before a retry. */
    DELAYED
}
