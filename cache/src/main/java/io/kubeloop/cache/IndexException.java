/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.cache;

import org.jspecify.annotations.Nullable;

/**
 * Thrown when an index function fails. On a write, the object is stored nevertheless, so the cache still equals the
 * server; only the one index lacks it. Upstream panics instead.
 */
public final class IndexException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** Makes an exception. The message names the index and the key. */
    public IndexException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
