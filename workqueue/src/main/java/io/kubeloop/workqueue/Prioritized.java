/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.workqueue;

import java.util.Objects;

/**
 * An item that was handed out, with its priority.
 *
 * @param <T> the type of the item
 */
public record Prioritized<T>(T item, int priority) {

    /** Checks that the item is not null. */
    public Prioritized {
        Objects.requireNonNull(item, "item");
    }
}
