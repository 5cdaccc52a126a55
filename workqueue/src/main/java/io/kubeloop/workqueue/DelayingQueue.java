package io.kubeloop.workqueue;

import java.time.Duration;

/**
 * A queue whose items can be added later (upstream: {@code workqueue.DelayingInterface}). Thread-safe.
 *
 * @param <T> the type of the items
 */
public interface DelayingQueue<T> extends WorkQueue<T> {

    /**
     * Adds the item after the delay; at once if it is zero or negative. Of several delays of one item that wait, the
     * earliest counts.
     */
    void addAfter(T item, Duration delay);
}
