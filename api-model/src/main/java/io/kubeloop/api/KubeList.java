/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api;

import java.util.List;

/**
 * A list, or one page of it.
 *
 * @param metadata version and continue token
 * @param items the objects, in the server's order
 * @param <T> the type of the objects
 */
public record KubeList<T>(ListMeta metadata, List<T> items) {

    /** Copies the items. */
    public KubeList {
        items = List.copyOf(items);
    }
}
