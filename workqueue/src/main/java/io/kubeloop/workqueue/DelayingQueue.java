package io.kubeloop.workqueue;

import java.time.Duration;
import java.util.List;

/**
 * A queue whose items can be added later (upstream: {@code workqueue.DelayingInterface}). Thread-safe.
 *
 * @param <T> the type of the items
 */
public interface DelayingQueue<T> extends WorkQueue<T> {

    /**
     * Adds the item after the delay; at once if it is zero or negative. Never blocks, and there is no limit to how many
     * items wait. Of several delays of one item that wait, the earliest counts. A plain {@link #add} of the item does not
     * end the wait: it comes again. Ignored once the queue is shutting down, which also {@linkplain #dropped() drops} the
     * items that still wait for their time. O(log n) in those.
     */
    void addAfter(T item, Duration delay);

    /** Returns how many items wait for their time. */
    int delayed();

    /**
     * Returns the items that waited for their time when the queue was shut down, and so are not handed out; empty before,
     * complete when the call that shuts down has returned. A copy.
     */
    List<T> dropped();
}
