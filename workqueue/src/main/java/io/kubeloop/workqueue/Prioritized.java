package io.kubeloop.workqueue;

import java.util.Objects;

/**
 * An item that was handed out, and the priority that it had.
 *
 * @param <T> the type of the item
 */
public record Prioritized<T>(T item, int priority) {

    /** Checks that there is an item. */
    public Prioritized {
        Objects.requireNonNull(item, "item");
    }
}
