package io.kubeloop.workqueue;

import org.jspecify.annotations.Nullable;

/**
 * A queue whose items have priorities (upstream: controller-runtime's {@code pkg/controller/priorityqueue}). Thread-safe.
 *
 * <ul>
 *   <li>The highest priority comes out first; among equals, what became ready first.
 *   <li>Each item is there once, whether it waits for its time or for a worker. Added again, it keeps the highest of its
 *       priorities and the earliest of its times; where the priority rises, it goes to the end of its new equals.
 *   <li>Nothing rescues a low priority from waiting as long as higher ones keep coming.
 * </ul>
 *
 * <p>Inherited methods add with priority 0. Other than in a queue without priorities, an item that waits for its time
 * comes out once if it is {@linkplain #add added} meanwhile.
 *
 * @param <T> the type of the items
 */
public interface PriorityWorkQueue<T> extends RateLimitingQueue<T> {

    /**
     * The priority of what nothing happened to: items of a first list and of resyncs. A controller that starts with ten
     * thousand objects so still answers at once to the one that changes.
     */
    int LOW_PRIORITY = -100;

    /** Adds the item as the options say. Ignored once the queue is shutting down. O(log n). */
    void addWithOptions(T item, AddOptions options);

    /**
     * Takes the next item as {@link #get} does, together with its priority. Blocks as {@code get} does.
     *
     * @return the item, or null when the queue is shut down and empty
     * @throws InterruptedException if interrupted while waiting
     */
    @Nullable
    Prioritized<T> getWithPriority() throws InterruptedException;
}
