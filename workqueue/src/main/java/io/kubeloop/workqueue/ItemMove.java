package io.kubeloop.workqueue;

/** The moves of an item through a queue, for people who watch the queue. */
public enum ItemMove {
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
