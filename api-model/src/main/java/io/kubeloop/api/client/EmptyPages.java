/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.client;

import io.kubeloop.api.KubeList;

/**
 * Counts the consecutive empty pages of one list. A server may send some, because it may apply selectors to a page that
 * it has filled. Without a limit, a faulty server would keep its client busy indefinitely. Not thread-safe.
 */
public final class EmptyPages {

    /** The number of consecutive empty pages that ends a list. */
    public static final int LIMIT = 1000;

    private int inARow;

    /** Creates a counter for a new list. */
    public EmptyPages() {}

    /**
     * Counts a page.
     *
     * @throws TransportException of kind {@code BROKEN} at the {@value #LIMIT}th consecutive page that has no objects
     *     and a continue token
     */
    public void count(KubeList<?> page) {
        count(page.items().isEmpty(), page.metadata().continueToken());
    }

    /**
     * Counts a page that is not a {@link KubeList}; see {@link #count(KubeList)}.
     *
     * @param isEmpty whether the page has no objects
     * @param continueToken the page's token; empty at the end of the list
     */
    public void count(boolean isEmpty, String continueToken) {
        inARow = isEmpty && !continueToken.isEmpty() ? inARow + 1 : 0;
        if (inARow >= LIMIT) {
            throw new TransportException(
                    TransportException.Kind.BROKEN,
                    "Cannot continue a list: " + LIMIT + " consecutive pages had a continue token and no objects;"
                            + " list with a larger limit, or repair the server",
                    null);
        }
    }
}
