/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.workqueue;

/** The transitions of an item in a queue, for observers of the queue. */
public enum QueueTransition {
    /** It is being added. An item whose delay is over is reported after it was added. */
    ADDED,
    /** The addition had no effect, because the item waits already: one sync covers both. */
    MERGED,
    /** A worker has taken it. */
    TAKEN,
    /** The worker is done with it. */
    DONE,
    /** It will be added after a delay, as a retry is. */
    DELAYED
}
